import { Problem } from '../../../lib/errors/problem.ts'

/** One part of a multipart body. `body` must be read, if at all, before the next part is asked for. */
export interface MultipartPart {
  name: string | undefined
  filename: string | undefined
  body: AsyncIterable<Buffer>
}

/** Bytes that the headers of a part may have. */
const MAX_PART_HEADER_BYTES = 16 << 10

function buildMalformedBodyProblem(why: string): Problem {
  return new Problem(400, 'malformed-body', `The multipart body ${why}.`)
}

/** The parts of a multipart/form-data body (RFC 7578, RFC 2046 5.1), read as they arrive in constant memory, to the end. */
export async function* readMultipartParts(
  chunks: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<MultipartPart> {
  const source = chunks[Symbol.asyncIterator]()
  // The line break before the first boundary is not sent; with it all boundaries look alike.
  let bufferedBytes: Buffer = Buffer.from('\r\n')

  async function readMore(): Promise<void> {
    const next = await source.next()
    if (next.done) throw buildMalformedBodyProblem('ends before its last boundary')
    bufferedBytes = Buffer.concat([bufferedBytes, next.value])
  }

  async function* readUntil(delimiter: string): AsyncGenerator<Buffer> {
    for (;;) {
      const delimiterIndex = bufferedBytes.indexOf(delimiter)
      const readyLength =
        delimiterIndex === -1 ? Math.max(0, bufferedBytes.length - delimiter.length + 1) : delimiterIndex
      const piece = bufferedBytes.subarray(0, readyLength)
      bufferedBytes = bufferedBytes.subarray(delimiterIndex === -1 ? readyLength : delimiterIndex + delimiter.length)
      if (piece.length > 0) yield piece
      if (delimiterIndex !== -1) return
      await readMore()
    }
  }

  const delimiter = `\r\n--${boundary}`
  await drainPieces(readUntil(delimiter))
  for (;;) {
    while (bufferedBytes.length < 2) await readMore()
    if (bufferedBytes.toString('latin1', 0, 2) === '--') return drainPieces({ [Symbol.asyncIterator]: () => source })
    const head = await readPartHead(readUntil('\r\n\r\n'))
    let isRead = false
    const body = async function* (): AsyncGenerator<Buffer> {
      yield* readUntil(delimiter)
      isRead = true
    }
    const content = body()
    yield { ...parsePartName(head), body: content }
    if (!isRead) await drainPieces(readUntil(delimiter))
  }
}

async function readPartHead(pieces: AsyncIterable<Buffer>): Promise<string> {
  let head = ''
  for await (const piece of pieces) {
    head += piece.toString('latin1')
    if (head.length > MAX_PART_HEADER_BYTES) throw buildMalformedBodyProblem('has a part whose headers do not end')
  }
  return Buffer.from(head, 'latin1').toString()
}

async function drainPieces(pieces: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of pieces);
}

function parsePartName(head: string): { name: string | undefined; filename: string | undefined } {
  const disposition = /^content-disposition:(.*(?:\r\n[ \t].*)*)/im.exec(head)?.[1] ?? ''
  return { name: parseParameter(disposition, NAME_PATTERN), filename: parseDispositionFilename(disposition) }
}

const compileParameterPattern = (name: string) =>
  new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]+))`, 'i')
const [NAME_PATTERN, FILENAME_PATTERN] = [compileParameterPattern('name'), compileParameterPattern('filename')]

function parseParameter(header: string, pattern: RegExp): string | undefined {
  const match = pattern.exec(header)
  return match?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? match?.[2]
}

/** The file name of a Content-Disposition (RFC 6266): that of `filename*` (RFC 8187) before `filename`. */
export function parseDispositionFilename(header: string): string | undefined {
  const extendedMatch = /;\s*filename\*\s*=\s*(utf-8|iso-8859-1)'[^']*'([^\s;]+)/i.exec(header)
  if (extendedMatch?.[1] && extendedMatch[2]) {
    const bytes = extendedMatch[2].replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    return Buffer.from(bytes, 'latin1').toString(extendedMatch[1].toLowerCase() === 'utf-8' ? 'utf8' : 'latin1')
  }
  return parseParameter(header, FILENAME_PATTERN)
}
