import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../../../lib/errors/problem.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { encodeReceivedText } from '../files/encoding.ts'
import { unsupportedFileProblem } from '../files/file-problems.ts'
import { type MultipartPart, parseDispositionFilename, readMultipartParts } from '../upload/multipart.ts'

/** A file of a request. */
export interface RequestFile {
  name: string | undefined
  chunks: AsyncIterable<Buffer>
}

/** What a request brings: a definition, one file, or the parts of a form, one of which is the file. */
export type ImportRequestContent =
  | { definition: Record<string, unknown> }
  | { file: RequestFile }
  | { parts: AsyncIterable<MultipartPart> }

/** How bodies that are JSON are read, and how many bytes they may have. */
export interface JsonBodyRules {
  read: (text: string) => unknown
  maxBytes: number
}

const JSON_TYPES = ['application/json', 'text/json', 'application/vnd.mperf.v8.import.v1+json']
const OCTETS = 'application/octet-stream'
const FILE_TYPES = [
  OCTETS,
  'text/csv',
  'text/plain',
  'application/csv',
  'text/tab-separated-values',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.ms-excel.sheet.macroenabled.12',
  'application/vnd.ms-excel',
  'application/zip',
  'application/x-zip-compressed',
  'application/gzip',
  'application/x-gzip',
  'application/x-tar',
  'application/x-gtar',
  'application/x-compressed-tar',
]

/** Enough of a body to see a boundary and the headers of the first part. */
const HEAD = 1024

const MISLABELLED = /^(?:\r\n)?--([^\r\n]{1,200})\r\n(?:[^\r\n]+\r\n){0,10}?content-(?:disposition|type):/i

/**
 * Distinguishes the forms in which a file or a definition may come, by content as much as by type.
 * Throws 415 for other types, 400 for a definition that is no JSON object, 413 for one of more than 10 MiB.
 */
export async function parseImportRequest(
  headers: IncomingHttpHeaders,
  body: AsyncIterable<Buffer>,
  json: JsonBodyRules,
): Promise<ImportRequestContent> {
  const header = headers['content-type'] ?? ''
  const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'multipart/form-data') return { parts: readMultipartParts(body, boundaryOf(header)) }
  if (JSON_TYPES.includes(type)) return readDefinition(body, json)
  if (type !== '' && !FILE_TYPES.includes(type)) throw unsupportedFileProblem(`A body of type ${type.slice(0, 100)}`)
  const name = parseDispositionFilename(`;${headers['content-disposition'] ?? ''}`)
  // A declared file is not awaited: one announced as too large is refused before it is read.
  if (type !== OCTETS && type !== '') return { file: { name, chunks: body } }
  const { head, chunks } = await peek(body)
  if (head.length === 0 && type === '') return { definition: {} }
  const boundary = MISLABELLED.exec(head.toString('latin1'))?.[1]?.trimEnd()
  if (boundary !== undefined) return { parts: readMultipartParts(chunks, boundary) }
  return /^(?:\u{feff})?\s*\{/u.test(head.toString()) ? readOctets({ name, chunks }, json) : { file: { name, chunks } }
}

function boundaryOf(header: string): string {
  const boundary = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(header)
  const text = boundary?.[1] ?? boundary?.[2]
  if (text === undefined) throw new Problem(400, 'malformed-body', 'The Content-Type of the body names no boundary.')
  return text
}

async function peek(body: AsyncIterable<Buffer>): Promise<{ head: Buffer; chunks: AsyncIterable<Buffer> }> {
  const source = body[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  while (head.length < HEAD) {
    const next = await source.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  return { head, chunks: preceded(head, { [Symbol.asyncIterator]: () => source }) }
}

async function* preceded(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head
  yield* rest
}

async function take(body: AsyncIterable<Buffer>, max: number): Promise<{ head: Buffer; isWhole: boolean }> {
  const pieces: Buffer[] = []
  let size = 0
  for (const source = body[Symbol.asyncIterator](); size <= max; ) {
    const next = await source.next()
    if (next.done) return { head: Buffer.concat(pieces), isWhole: true }
    pieces.push(next.value)
    size += next.value.length
  }
  return { head: Buffer.concat(pieces), isWhole: false }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem(400, 'malformed-body', 'The body is not UTF-8.')
  }
}

async function readDefinition(
  body: AsyncIterable<Buffer>,
  { read, maxBytes }: JsonBodyRules,
): Promise<ImportRequestContent> {
  const { head, isWhole } = await take(body, maxBytes)
  if (!isWhole) throw new Problem(413, 'body-too-large', `A definition has at most ${maxBytes} bytes.`)
  const text = decode(head)
  const definition = text.trim() === '' ? {} : read(text)
  if (!isJsonObject(definition)) throw new Problem(400, 'malformed-body', 'The body must be one JSON object.')
  return { definition }
}

/** Bytes that begin as a JSON object does: a definition, a file within one, or a file after all. */
async function readOctets(
  { name, chunks }: RequestFile,
  { read, maxBytes }: JsonBodyRules,
): Promise<ImportRequestContent> {
  const { head, isWhole } = await take(chunks, maxBytes)
  if (!isWhole || !isJson(head.toString())) return { file: { name, chunks: preceded(head, chunks) } }
  const value = read(head.toString())
  if (!isJsonObject(value)) return { file: { name, chunks: preceded(head, chunks) } }
  const { data, name: given = value['filename'] } = value
  if (typeof data !== 'string') return { definition: value }
  const whole = preceded(encodeReceivedText(data), (async function* () {})())
  return { file: { name: typeof given === 'string' ? given : name, chunks: whole } }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
