import { Parser } from 'htmlparser2'
import { decodeByteStream } from './encoding.ts'
import { brokenWorkbookProblem } from './file-problems.ts'

/** A handler of the elements of a part; their names come without prefix. */
export interface XmlHandler {
  open(name: string, attributes: Record<string, string>): void
  close?(name: string): void
  text?(text: string): void
}

const MAX_ELEMENT_DEPTH = 64
/** Characters between two events, such as those of a tag that does not end: the parser holds them. */
const MAX_SILENT_CHARACTERS = 2 << 20

const stripPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Reads a part of a workbook in constant memory, and stops after each piece of it. Entities beyond those of XML are never
 * expanded. Throws Problem `workbook-broken`.
 */
export async function* readXmlPieces(chunks: AsyncIterable<Buffer>, handler: XmlHandler): AsyncGenerator<void> {
  let depth = 0
  let hasBegun = false
  let silentCharacters = 0
  const events = {
    onopentag(name: string, attributes: Record<string, string>) {
      silentCharacters = 0
      hasBegun = true
      depth += 1
      if (depth > MAX_ELEMENT_DEPTH) throw brokenWorkbookProblem('its elements are nested too deeply')
      handler.open(stripPrefix(name), attributes)
    },
    onclosetag(name: string) {
      silentCharacters = 0
      depth -= 1
      handler.close?.(stripPrefix(name))
    },
    ontext(text: string) {
      silentCharacters = 0
      handler.text?.(text)
    },
    onprocessinginstruction(name: string) {
      if (name.startsWith('!')) throw brokenWorkbookProblem('one of its parts declares a document type')
    },
  }
  const parser = new Parser(events, { xmlMode: true })
  for await (const piece of decodeByteStream(chunks, 'utf-8')) {
    silentCharacters += piece.length
    parser.write(piece)
    if (silentCharacters > MAX_SILENT_CHARACTERS) throw brokenWorkbookProblem('one of its tags does not end')
    yield
  }
  if (depth > 0 || !hasBegun) throw brokenWorkbookProblem('one of its parts is truncated')
}

/** Reads a part of a workbook that is small. Throws as `readXmlPieces`. */
export async function readWorkbookXml(chunks: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  for await (const _ of readXmlPieces(chunks, handler));
}

const ESCAPE_PATTERN = /_x([0-9A-Fa-f]{4})_/g

/** A text as it is meant: `_x000D_` stands for a character that XML does not hold. */
export function unescapeXmlText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(ESCAPE_PATTERN, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
