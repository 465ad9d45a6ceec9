import { type SmppCommand, type SmppFields, type SmppTlvs, smppCommands } from './commands.ts'
import { smppStatusCodes } from './status.ts'

const HEADER = 16

/** A message_payload has at most 65,535 octets; what is longer than one and its fields is no SMPP. */
export const MAX_SMPP_PDU_BYTES = 0x10000 + 1024

/** A protocol data unit. */
export type SmppPdu = { [C in SmppCommand]: SmppCommandPdu<C> }[SmppCommand]

export interface SmppCommandPdu<C extends SmppCommand> {
  command: C
  status: number
  sequence: number
  fields: SmppFields<C>
  /** Optional parameters by tag, known or not; of a repeated one the first. */
  tlvs: SmppTlvs
}

/** What was received is no PDU. `smppStatusCodes` is what a generic_nack says of it. */
export interface SmppPduFault {
  fault: string
  /** As the header has it. */
  commandId: number
  sequence: number
  status: number
}

const byId = new Map<number, SmppCommand>(
  Object.entries(smppCommands).map(([name, { id }]) => [id, name as SmppCommand]),
)

const NO_TLVS: SmppTlvs = new Map()

function encodeField(name: string, field: { kind: string; max?: number }, value: string | number | Uint8Array): Buffer {
  const { max = 1 } = field
  if (typeof value === 'number') return Buffer.of(value)
  const octets = Buffer.from(typeof value === 'string' ? Buffer.from(value, 'latin1') : value)
  if (typeof value !== 'string') {
    if (octets.length > max) throw new RangeError(`${name} has ${octets.length} octets; at most ${max} may be`)
    return Buffer.concat([Buffer.of(octets.length), octets])
  }
  if (octets.length >= max || octets.includes(0))
    throw new RangeError(`${name} must be of at most ${max - 1} octets, none of them 0`)
  return Buffer.concat([octets, Buffer.of(0)])
}

function encodeTlv([tag, value]: [number, Uint8Array]): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(tag, 0)
  head.writeUInt16BE(value.length, 2)
  return Buffer.concat([head, value])
}

/**
 * The octets of a PDU (SMPP 3.4, 3.2). An answer that refuses is a header alone (4.4.2).
 * Throws RangeError when a field is longer than the protocol allows.
 */
export function encodeSmppPdu<C extends SmppCommand>(
  command: C,
  head: { status?: number; sequence: number },
  fields: SmppFields<C>,
  tlvs: SmppTlvs = NO_TLVS,
): Buffer {
  const { id, fields: layout } = smppCommands[command]
  const given = fields as Readonly<Record<string, string | number | Uint8Array>>
  const body =
    head.status !== undefined && head.status !== 0
      ? []
      : [
          ...Object.entries(layout).map(([name, field]) => encodeField(name, field, given[name]!)),
          ...[...tlvs].map(encodeTlv),
        ]
  const whole = Buffer.concat([Buffer.alloc(HEADER), ...body])
  whole.writeUInt32BE(whole.length, 0)
  whole.writeUInt32BE(id, 4)
  whole.writeUInt32BE(head.status ?? 0, 8)
  whole.writeUInt32BE(head.sequence, 12)
  return whole
}

interface Cursor {
  octets: Buffer
  at: number
  /** Answers are read more leniently: some peers omit their body, or the NUL at the very end. */
  isAnswer: boolean
}

type Refusal = Pick<SmppPduFault, 'fault' | 'status'>

function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'fault' in value
}

function shortage(name: string): Refusal {
  return { fault: `the PDU ends within ${name}`, status: smppStatusCodes.ESME_RINVCMDLEN }
}

function readText(cursor: Cursor, name: string, max: number): string | Refusal {
  const { octets, at, isAnswer } = cursor
  const nul = octets.indexOf(0, at)
  const end = nul === -1 && isAnswer ? octets.length : nul
  if (end === -1) return shortage(name)
  if (end - at >= max)
    return { fault: `${name} is longer than ${max - 1} octets`, status: smppStatusCodes.ESME_RINVPARLEN }
  cursor.at = Math.min(end + 1, octets.length)
  return octets.toString('latin1', at, end)
}

function readOctets(cursor: Cursor, name: string): Uint8Array | Refusal {
  const { octets, at } = cursor
  const end = at + 1 + (octets[at] ?? 0)
  if (at >= octets.length || end > octets.length) return shortage(name)
  cursor.at = end
  return octets.subarray(at + 1, end)
}

function readOctet(cursor: Cursor, name: string): number | Refusal {
  return cursor.octets[cursor.at++] ?? shortage(name)
}

function readFields(cursor: Cursor, command: SmppCommand): Record<string, unknown> | Refusal {
  const read: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(smppCommands[command].fields)) {
    const value =
      field.kind === 'octet'
        ? readOctet(cursor, name)
        : field.kind === 'text'
          ? readText(cursor, name, field.max)
          : readOctets(cursor, name)
    if (isRefusal(value)) return value
    read[name] = value
  }
  return read
}

function readTlvs({ octets, at }: Cursor): Map<number, Uint8Array> | Refusal {
  const tlvs = new Map<number, Uint8Array>()
  while (at < octets.length) {
    const end = at + 4 <= octets.length ? at + 4 + octets.readUInt16BE(at + 2) : Number.POSITIVE_INFINITY
    if (end > octets.length)
      return { fault: 'the PDU ends within an optional parameter', status: smppStatusCodes.ESME_RINVOPTPARSTREAM }
    const tag = octets.readUInt16BE(at)
    if (!tlvs.has(tag)) tlvs.set(tag, octets.subarray(at + 4, end))
    at = end
  }
  return tlvs
}

function readBody(octets: Buffer, command: SmppCommand): { fields: object; tlvs: SmppTlvs } | Refusal {
  const cursor: Cursor = { octets, at: HEADER, isAnswer: isSmppResponse(smppCommands[command].id) }
  const fields = readFields(cursor, command)
  if (isRefusal(fields)) return fields
  const tlvs = readTlvs(cursor)
  return isRefusal(tlvs) ? tlvs : { fields, tlvs }
}

/**
 * Reads one PDU, whole and of the length its header says (see createSmppFrameReader). Never throws: what is malformed is a
 * fault. Optional parameters that are not known are kept, as 3.3 asks.
 */
export function decodeSmppPdu(octets: Buffer): SmppPdu | SmppPduFault {
  const commandId = octets.readUInt32BE(4)
  const sequence = octets.readUInt32BE(12)
  const command = byId.get(commandId)
  if (command === undefined)
    return {
      fault: `0x${commandId.toString(16)} is no command`,
      commandId,
      sequence,
      status: smppStatusCodes.ESME_RINVCMDID,
    }
  const head = { command, status: octets.readUInt32BE(8), sequence }
  const body = readBody(octets, command)
  if (!isRefusal(body)) return { ...head, ...body } as SmppPdu
  // An answer that refuses should have no body: whatever it has instead is ignored.
  if (isSmppResponse(commandId) && head.status !== 0)
    return { ...head, ...readBody(octets.subarray(0, HEADER), command) } as SmppPdu
  return { ...body, commandId, sequence }
}

export function isSmppResponse(commandId: number): boolean {
  return commandId >= 0x80000000
}

/**
 * Cuts a stream into PDUs by their lengths and calls `onFrame` for each. The returned function takes the octets as they
 * come and answers undefined, or what is wrong when a length cannot be; it must not be called again then, as there is no
 * telling where the next PDU begins. Holds less than one PDU and one chunk.
 */
export function createSmppFrameReader(onFrame: (frame: Buffer) => void): (chunk: Buffer) => string | undefined {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= 4) {
      const length = rest.readUInt32BE(0)
      if (length < HEADER || length > MAX_SMPP_PDU_BYTES) return `a PDU of ${length} octets`
      if (rest.length < length) break
      const frame = rest.subarray(0, length)
      rest = rest.subarray(length)
      onFrame(frame)
    }
    return undefined
  }
}
