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

/** Content of a request: a definition, one file, or the parts of a form, one of which is the file. */
export type ImportRequestContent =
  | { definition: Record<string, unknown> }
  | { file: RequestFile }
  | { parts: AsyncIterable<MultipartPart> }

/** Parser of JSON bodies, and their maximum size in bytes. */
export interface JsonBodyRules {
  read: (text: string) => unknown
  maxBytes: number
}

const JSON_MEDIA_TYPES = ['application/json', 'text/json', 'application/vnd.mperf.v8.import.v1+json']
const OCTET_STREAM = 'application/octet-stream'
const FILE_MEDIA_TYPES = [
  OCTET_STREAM,
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
const HEAD_BYTES = 1024

const MISLABELLED_FORM = /^(?:\r\n)?--([^\r\n]{1,200})\r\n(?:[^\r\n]+\r\n){0,10}?content-(?:disposition|type):/i

/**
 * Distinguishes the forms in which a file or a definition may come, by content as much as by type.
 * Throws 415 for other types, 400 for a definition that is no JSON object, 413 for one of more than 10 MiB.
 */
export async function parseImportRequest(
  headers: IncomingHttpHeaders,
  body: AsyncIterable<Buffer>,
  json: JsonBodyRules,
): Promise<ImportRequestContent> {
  const contentType = headers['content-type'] ?? ''
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'multipart/form-data') return { parts: readMultipartParts(body, parseBoundary(contentType)) }
  if (JSON_MEDIA_TYPES.includes(type)) return parseDefinition(body, json)
  if (type !== '' && !FILE_MEDIA_TYPES.includes(type))
    throw unsupportedFileProblem(`A body of type ${type.slice(0, 100)}`)
  const name = parseDispositionFilename(`;${headers['content-disposition'] ?? ''}`)
  // A declared file is not awaited: one announced as too large is refused before it is read.
  if (type !== OCTET_STREAM && type !== '') return { file: { name, chunks: body } }
  const { head: bodyHead, chunks } = await peekBody(body)
  if (bodyHead.length === 0 && type === '') return { definition: {} }
  const boundary = MISLABELLED_FORM.exec(bodyHead.toString('latin1'))?.[1]?.trimEnd()
  if (boundary !== undefined) return { parts: readMultipartParts(chunks, boundary) }
  return /^(?:\u{feff})?\s*\{/u.test(bodyHead.toString())
    ? parseOctetStream({ name, chunks }, json)
    : { file: { name, chunks } }
}

function parseBoundary(header: string): string {
  const boundaryMatch = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(header)
  const text = boundaryMatch?.[1] ?? boundaryMatch?.[2]
  if (text === undefined) throw new Problem(400, 'malformed-body', 'The Content-Type of the body has no boundary.')
  return text
}

async function peekBody(body: AsyncIterable<Buffer>): Promise<{ head: Buffer; chunks: AsyncIterable<Buffer> }> {
  const source = body[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  while (head.length < HEAD_BYTES) {
    const next = await source.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  return { head, chunks: prependHead(head, { [Symbol.asyncIterator]: () => source }) }
}

async function* prependHead(head: Buffer, remainingChunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head
  yield* remainingChunks
}

async function readLimitedHead(body: AsyncIterable<Buffer>, max: number): Promise<{ head: Buffer; isWhole: boolean }> {
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

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem(400, 'malformed-body', 'The body is not UTF-8.')
  }
}

async function parseDefinition(
  body: AsyncIterable<Buffer>,
  { read: parseJson, maxBytes }: JsonBodyRules,
): Promise<ImportRequestContent> {
  const { head, isWhole } = await readLimitedHead(body, maxBytes)
  if (!isWhole) throw new Problem(413, 'body-too-large', `A definition must have at most ${maxBytes} bytes.`)
  const text = decodeUtf8(head)
  const definition = text.trim() === '' ? {} : parseJson(text)
  if (!isJsonObject(definition)) throw new Problem(400, 'malformed-body', 'The body must be one JSON object.')
  return { definition }
}

/** Bytes that begin as a JSON object does: a definition, a file within one, or a file after all. */
async function parseOctetStream(
  { name, chunks }: RequestFile,
  { read: parseJson, maxBytes }: JsonBodyRules,
): Promise<ImportRequestContent> {
  const { head, isWhole } = await readLimitedHead(chunks, maxBytes)
  if (!isWhole || !isValidJson(head.toString())) return { file: { name, chunks: prependHead(head, chunks) } }
  const value = parseJson(head.toString())
  if (!isJsonObject(value)) return { file: { name, chunks: prependHead(head, chunks) } }
  const { data, name: filename = value['filename'] } = value
  if (typeof data !== 'string') return { definition: value }
  const textChunks = prependHead(encodeReceivedText(data), (async function* () {})())
  return { file: { name: typeof filename === 'string' ? filename : name, chunks: textChunks } }
}

function isValidJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
