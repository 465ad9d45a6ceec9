import { maskAddressesInText, maskJsonDocument, type PersonalFields } from './masking.ts'

/** The form of an answer: one JSON document, one document a line, events of a stream (each line a member), or text. */
export type AnswerTextForm = 'json' | 'lines' | 'events' | 'text'

/** Masks one JSON document; anything else is masked as text. */
function maskJsonText(text: string, personal: PersonalFields): string {
  if (text.trim().length < 2) return text
  try {
    return JSON.stringify(maskJsonDocument(JSON.parse(text), personal))
  } catch {
    return maskAddressesInText(text)
  }
}

const DATA_PREFIX = 'data: '

function maskLine(line: string, form: AnswerTextForm, personal: PersonalFields): string {
  if (form === 'lines') return maskJsonText(line, personal)
  if (form === 'events')
    return line.startsWith(DATA_PREFIX) ? DATA_PREFIX + maskJsonText(line.slice(DATA_PREFIX.length), personal) : line
  return maskAddressesInText(line)
}

async function* maskLines(
  chunks: AsyncIterable<string>,
  form: AnswerTextForm,
  personal: PersonalFields,
): AsyncGenerator<string> {
  let pendingText = ''
  for await (const chunk of chunks) {
    const lines = (pendingText + chunk).split('\n')
    pendingText = lines.pop() ?? ''
    if (lines.length > 0) yield `${lines.map((line) => maskLine(line, form, personal)).join('\n')}\n`
    // White space shows that the answer is still coming: it does not wait for the end of its line.
    if (pendingText.trim() === '') {
      if (pendingText !== '') yield pendingText
      pendingText = ''
    }
  }
  if (pendingText !== '') yield maskLine(pendingText, form, personal)
}

/** Finds, in the text of an array that comes in pieces, where its items begin and end; in no other document anything. */
function createItemScanner(): (chunk: string) => number[] {
  let [depth, isArray, isQuoted, isEscaped] = [0, false, false, false]
  function scanCharacter(character: string, at: number): number[] {
    if (isEscaped) isEscaped = false
    else if (isQuoted) [isEscaped, isQuoted] = [character === '\\', character !== '"']
    else if (character === '"') isQuoted = true
    else if (character === '[' || character === '{') {
      if (depth === 0) isArray = character === '['
      depth += 1
      if (isArray && depth === 1) return [at + 1]
    } else if (character === ']' || character === '}') {
      depth -= 1
      if (isArray && depth === 0) return [at]
    } else if (character === ',' && isArray && depth === 1) return [at, at + 1]
    return []
  }
  return (chunk) => {
    const itemBounds: number[] = []
    for (let charIndex = 0; charIndex < chunk.length; charIndex++)
      itemBounds.push(...scanCharacter(chunk.charAt(charIndex), charIndex))
    return itemBounds
  }
}

/** A document of JSON as it comes: an array item by item, so that no list is held as a whole. */
async function* maskArrayItems(chunks: AsyncIterable<string>, personal: PersonalFields): AsyncGenerator<string> {
  const findItemBounds = createItemScanner()
  let pendingItem = ''
  for await (const chunk of chunks) {
    let itemStart = 0
    let maskedText = ''
    for (const bound of findItemBounds(chunk)) {
      maskedText += maskJsonText(pendingItem + chunk.slice(itemStart, bound), personal)
      pendingItem = ''
      itemStart = bound
    }
    pendingItem += chunk.slice(itemStart)
    // White space shows that the answer is still coming.
    if (pendingItem.trim() === '') {
      maskedText += pendingItem
      pendingItem = ''
    }
    if (maskedText !== '') yield maskedText
  }
  if (pendingItem !== '') yield maskJsonText(pendingItem, personal)
}

async function* decodeChunks(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) yield typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** An answer as it is written, masked while it comes. */
export function maskAnswerChunks(
  chunks: AsyncIterable<Buffer | string>,
  form: AnswerTextForm,
  personal: PersonalFields,
): AsyncGenerator<string> {
  return form === 'json'
    ? maskArrayItems(decodeChunks(chunks), personal)
    : maskLines(decodeChunks(chunks), form, personal)
}

/** The same of an answer that is there as a whole. */
export function maskAnswerText(text: string, form: AnswerTextForm, personal: PersonalFields): string {
  if (form === 'json') return maskJsonText(text, personal)
  return text
    .split('\n')
    .map((line) => maskLine(line, form, personal))
    .join('\n')
}
