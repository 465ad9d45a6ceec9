import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { allowAborts } from './client-aborts.ts'

type Value = string | number | boolean | Value[]

/** A span as it was exported. */
export interface ReceivedSpan {
  name: string
  trace: string
  id: string
  /** Empty: it has no parent. */
  parent: string
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number
  /** Nanoseconds since 1970. */
  start: bigint
  end: bigint
  /** 2: it failed. */
  status: number
  attributes: Record<string, Value>
  /** Of the process that exported it. */
  resource: Record<string, Value>
}

export interface OtlpReceiver {
  url: string
  spans: ReceivedSpan[]
  headers: IncomingHttpHeaders[]
  close(): Promise<void>
}

/** A field of a message of protobuf: a number, or octets. */
interface Field {
  number: number
  value: bigint | Buffer
}

function varint(bytes: Buffer, start: number): { value: bigint; next: number } {
  let value = 0n
  for (let next = start, shift = 0n; ; next++, shift += 7n) {
    const octet = bytes[next]!
    value |= BigInt(octet & 0x7f) << shift
    if (octet < 0x80) return { value, next: next + 1 }
  }
}

/** The fields of a message, by the wire format of protobuf. */
function fields(bytes: Buffer): Field[] {
  const found: Field[] = []
  for (let at = 0; at < bytes.length; ) {
    const { value: key, next } = varint(bytes, at)
    const number = Number(key >> 3n)
    const type = Number(key & 7n)
    if (type === 0) {
      const read = varint(bytes, next)
      found.push({ number, value: read.value })
      at = read.next
    } else if (type === 1) {
      found.push({ number, value: bytes.readBigUInt64LE(next) })
      at = next + 8
    } else if (type === 2) {
      const read = varint(bytes, next)
      at = read.next + Number(read.value)
      found.push({ number, value: bytes.subarray(read.next, at) })
    } else if (type === 5) {
      found.push({ number, value: BigInt(bytes.readUInt32LE(next)) })
      at = next + 4
    } else throw new Error(`no wire type ${type}`)
  }
  return found
}

const all = (bytes: Buffer, number: number): Buffer[] =>
  fields(bytes).flatMap((field) => (field.number === number && Buffer.isBuffer(field.value) ? [field.value] : []))
const one = (bytes: Buffer, number: number): Buffer => all(bytes, number)[0] ?? Buffer.alloc(0)
function figure(bytes: Buffer, number: number): bigint {
  const found = fields(bytes).find((field) => field.number === number)?.value
  return typeof found === 'bigint' ? found : 0n
}

/** AnyValue of common.proto. */
function anyValue(bytes: Buffer): Value {
  const [field] = fields(bytes)
  if (!field) return ''
  const { number, value } = field
  if (number === 1) return String(value)
  if (number === 2) return value === 1n
  if (number === 3) return Number(value)
  if (number === 4) {
    const view = Buffer.alloc(8)
    view.writeBigUInt64LE(value as bigint)
    return view.readDoubleLE()
  }
  if (number === 5) return all(value as Buffer, 1).map(anyValue)
  throw new Error(`no value ${number}`)
}

/** Lists of KeyValue of common.proto. */
function attributesOf(list: readonly Buffer[]): Record<string, Value> {
  return Object.fromEntries(list.map((pair) => [one(pair, 1).toString(), anyValue(one(pair, 2))]))
}

/** Span of trace.proto. */
function spanOf(bytes: Buffer, resource: Record<string, Value>): ReceivedSpan {
  return {
    trace: one(bytes, 1).toString('hex'),
    id: one(bytes, 2).toString('hex'),
    parent: one(bytes, 4).toString('hex'),
    name: one(bytes, 5).toString(),
    kind: Number(figure(bytes, 6)),
    start: figure(bytes, 7),
    end: figure(bytes, 8),
    attributes: attributesOf(all(bytes, 9)),
    status: Number(figure(one(bytes, 15), 3)),
    resource,
  }
}

/** ExportTraceServiceRequest: resources, scopes, spans. */
function spansOf(request: Buffer): ReceivedSpan[] {
  return all(request, 1).flatMap((resourceSpans) => {
    const resource = attributesOf(all(one(resourceSpans, 1), 1))
    return all(resourceSpans, 2).flatMap((scope) => all(scope, 2).map((span) => spanOf(span, resource)))
  })
}

/** A receiver of traces by OTLP over HTTP, as collectors have one, that reads the wire itself. Loopback only. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer(
    allowAborts(async (request: IncomingMessage, response: ServerResponse) => {
      const body = await buffer(request)
      const isTraces = request.method === 'POST' && request.url === '/v1/traces'
      if (!isTraces || request.headers['content-type'] !== 'application/x-protobuf') {
        response.writeHead(404).end()
        return
      }
      headers.push(request.headers)
      spans.push(...spansOf(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body))
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    spans,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
