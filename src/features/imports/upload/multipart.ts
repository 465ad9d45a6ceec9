import { Problem } from '../../../lib/errors/problem.ts'

/** One part of a multipart body. `body` must be read, if at all, before the next part is asked for. */
export interface MultipartPart {
  name: string | undefined
  filename: string | undefined
  body: AsyncIterable<Buffer>
}

/** Bytes that the headers of a part may have. */
const MAX_HEAD = 16 << 10

function broken(why: string): Problem {
  return new Problem(400, 'malformed-body', `The multipart body ${why}.`)
}

/** The parts of a multipart/form-data body (RFC 7578, RFC 2046 5.1), read as they arrive in constant memory, to the end. */
export async function* readMultipartParts(
  chunks: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<MultipartPart> {
  const source = chunks[Symbol.asyncIterator]()
  // The line break before the first boundary is not sent; with it all boundaries look alike.
  let held: Buffer = Buffer.from('\r\n')

  async function more(): Promise<void> {
    const next = await source.next()
    if (next.done) throw broken('ends before its last boundary')
    held = Buffer.concat([held, next.value])
  }

  async function* until(delimiter: string): AsyncGenerator<Buffer> {
    for (;;) {
      const at = held.indexOf(delimiter)
      const ready = at === -1 ? Math.max(0, held.length - delimiter.length + 1) : at
      const piece = held.subarray(0, ready)
      held = held.subarray(at === -1 ? ready : at + delimiter.length)
      if (piece.length > 0) yield piece
      if (at !== -1) return
      await more()
    }
  }

  const delimiter = `\r\n--${boundary}`
  await drain(until(delimiter))
  for (;;) {
    while (held.length < 2) await more()
    if (held.toString('latin1', 0, 2) === '--') return drain({ [Symbol.asyncIterator]: () => source })
    const head = await readHead(until('\r\n\r\n'))
    let isRead = false
    const body = async function* (): AsyncGenerator<Buffer> {
      yield* until(delimiter)
      isRead = true
    }
    const content = body()
    yield { ...nameOf(head), body: content }
    if (!isRead) await drain(until(delimiter))
  }
}

async function readHead(pieces: AsyncIterable<Buffer>): Promise<string> {
  let head = ''
  for await (const piece of pieces) {
    head += piece.toString('latin1')
    if (head.length > MAX_HEAD) throw broken('has a part without an end of its headers')
  }
  return Buffer.from(head, 'latin1').toString()
}

async function drain(pieces: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of pieces);
}

function nameOf(head: string): { name: string | undefined; filename: string | undefined } {
  const disposition = /^content-disposition:(.*(?:\r\n[ \t].*)*)/im.exec(head)?.[1] ?? ''
  return { name: parameter(disposition, NAME), filename: parseDispositionFilename(disposition) }
}

const parameterOf = (name: string) => new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]+))`, 'i')
const [NAME, FILENAME] = [parameterOf('name'), parameterOf('filename')]

function parameter(header: string, pattern: RegExp): string | undefined {
  const match = pattern.exec(header)
  return match?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? match?.[2]
}

/** The file name of a Content-Disposition (RFC 6266): that of `filename*` (RFC 8187) before `filename`. */
export function parseDispositionFilename(header: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*(utf-8|iso-8859-1)'[^']*'([^\s;]+)/i.exec(header)
  if (extended?.[1] && extended[2]) {
    const bytes = extended[2].replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    return Buffer.from(bytes, 'latin1').toString(extended[1].toLowerCase() === 'utf-8' ? 'utf8' : 'latin1')
  }
  return parameter(header, FILENAME)
}
