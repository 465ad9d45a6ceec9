import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** What a zone holds, by name in lower case without a final dot. */
export type Zone = Record<string, ZoneName>

export interface ZoneName {
  txt?: readonly string[]
  /** Best first; with a preference where that matters. `.` alone is the root. */
  mx?: readonly (string | [host: string, preference: number])[]
  a?: readonly string[]
  aaaa?: readonly string[]
  fails?: boolean
}

/** A name server within the test (RFC 1035), for TXT, MX, A and AAAA, over UDP. */
export interface DnsServer {
  /** As STENTOR_DNS_SERVERS names it. */
  address: string
  zone: Zone
  close(): Promise<void>
}

const HEADER = 12
const A = 1
const MX = 15
const TXT = 16
const AAAA = 28
const TTL_SECONDS = 1
const NAME_ERROR = 3
const SERVER_FAILURE = 2

/** The name of the only question, and where it ends. */
function questionOf(message: Buffer): { name: string; end: number; type: number } {
  const labels: string[] = []
  let at = HEADER
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5, type: message.readUInt16BE(at + 1) }
}

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .filter(Boolean)
      .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.alloc(1),
  ])

/** Strings of at most 255 octets. */
function encodeText(text: string): Buffer {
  const strings = text.match(/.{1,255}/gs) ?? ['']
  return Buffer.concat(strings.map((string) => Buffer.from(`${String.fromCharCode(string.length)}${string}`, 'latin1')))
}

function encodeExchange(exchange: string | [string, number], index: number): Buffer {
  const [host, preference] = typeof exchange === 'string' ? [exchange, 10 * (index + 1)] : exchange
  return Buffer.concat([Buffer.of(0, preference), encodeName(host)])
}

/** RFC 3596; with at most one run of zeros left out. */
function encodeAddress6(address: string): Buffer {
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').filter(Boolean))
  const groups = [...before, ...Array(8 - before.length - after.length).fill('0'), ...after]
  return Buffer.from(groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]))
}

/** The data of the records of each type. */
const encoders: Record<number, (name: ZoneName) => Buffer[]> = {
  [A]: ({ a = [] }) => a.map((address) => Buffer.from(address.split('.').map(Number))),
  [MX]: ({ mx = [] }) => mx.map(encodeExchange),
  [TXT]: ({ txt = [] }) => txt.map(encodeText),
  [AAAA]: ({ aaaa = [] }) => aaaa.map(encodeAddress6),
}

/** One resource record, its name a pointer to the question. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc000 | HEADER, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(TTL_SECONDS, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function answer(query: Buffer, zone: Zone): Buffer {
  const { name, end, type } = questionOf(query)
  const known = zone[name]
  const records = (known && encoders[type]?.(known))?.map((data) => record(type, data)) ?? []
  const header = Buffer.alloc(HEADER)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (known === undefined ? NAME_ERROR : known.fails ? SERVER_FAILURE : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(known?.fails ? 0 : records.length, 6)
  return Buffer.concat([header, query.subarray(HEADER, end), ...(known?.fails ? [] : records)])
}

/** Starts a name server on a free port of loopback; its zone may be changed while it runs. */
export async function startDnsServer(zone: Zone = {}): Promise<DnsServer> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => socket.send(answer(query, zone), port, address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    zone,
    async close() {
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}
