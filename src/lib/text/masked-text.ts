import { maskAddressesInText, maskJsonDocument, type PersonalFields } from './masking.ts'

/** How an answer is written: one document of JSON, one a line, events of a stream (each line a member), or text. */
export type AnswerTextForm = 'json' | 'lines' | 'events' | 'text'

/** One document of JSON, masked; what is none is text. */
function maskJson(text: string, personal: PersonalFields): string {
  if (text.trim().length < 2) return text
  try {
    return JSON.stringify(maskJsonDocument(JSON.parse(text), personal))
  } catch {
    return maskAddressesInText(text)
  }
}

const DATA = 'data: '

function maskLine(line: string, form: AnswerTextForm, personal: PersonalFields): string {
  if (form === 'lines') return maskJson(line, personal)
  if (form === 'events') return line.startsWith(DATA) ? DATA + maskJson(line.slice(DATA.length), personal) : line
  return maskAddressesInText(line)
}

async function* maskLines(
  chunks: AsyncIterable<string>,
  form: AnswerTextForm,
  personal: PersonalFields,
): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield `${lines.map((line) => maskLine(line, form, personal)).join('\n')}\n`
    // White space shows that the answer is still coming: it does not wait for the end of its line.
    if (rest.trim() === '') {
      if (rest !== '') yield rest
      rest = ''
    }
  }
  if (rest !== '') yield maskLine(rest, form, personal)
}

/** Finds, in the text of an array that comes in pieces, where its items begin and end; in no other document anything. */
function boundsOfItems(): (chunk: string) => number[] {
  let [depth, isArray, isQuoted, isEscaped] = [0, false, false, false]
  function read(character: string, at: number): number[] {
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
    const bounds: number[] = []
    for (let at = 0; at < chunk.length; at++) bounds.push(...read(chunk.charAt(at), at))
    return bounds
  }
}

/** A document of JSON as it comes: an array item by item, so that no list is held as a whole. */
async function* maskItems(chunks: AsyncIterable<string>, personal: PersonalFields): AsyncGenerator<string> {
  const boundsIn = boundsOfItems()
  let pending = ''
  for await (const chunk of chunks) {
    let from = 0
    let masked = ''
    for (const bound of boundsIn(chunk)) {
      masked += maskJson(pending + chunk.slice(from, bound), personal)
      pending = ''
      from = bound
    }
    pending += chunk.slice(from)
    // White space shows that the answer is still coming.
    if (pending.trim() === '') {
      masked += pending
      pending = ''
    }
    if (masked !== '') yield masked
  }
  if (pending !== '') yield maskJson(pending, personal)
}

async function* decoded(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
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
  return form === 'json' ? maskItems(decoded(chunks), personal) : maskLines(decoded(chunks), form, personal)
}

/** The same of an answer that is there as a whole. */
export function maskAnswerText(text: string, form: AnswerTextForm, personal: PersonalFields): string {
  if (form === 'json') return maskJson(text, personal)
  return text
    .split('\n')
    .map((line) => maskLine(line, form, personal))
    .join('\n')
}
