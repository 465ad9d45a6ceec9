import { type SmppCommand, type SmppFields, type SmppTlvs, smppCommands } from './commands.ts'
import { smppStatusCodes } from './status.ts'

const HEADER_OCTETS = 16

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

/** Input that is not a valid PDU. `status` is the `smppStatusCodes` value to send in a generic_nack. */
export interface SmppPduFault {
  fault: string
  /** As the header has it. */
  commandId: number
  sequence: number
  status: number
}

const commandsById = new Map<number, SmppCommand>(
  Object.entries(smppCommands).map(([name, { id }]) => [id, name as SmppCommand]),
)

const NO_TLVS: SmppTlvs = new Map()

function encodeField(name: string, field: { kind: string; max?: number }, value: string | number | Uint8Array): Buffer {
  const { max: maxLength = 1 } = field
  if (typeof value === 'number') return Buffer.of(value)
  const octets = Buffer.from(typeof value === 'string' ? Buffer.from(value, 'latin1') : value)
  if (typeof value !== 'string') {
    if (octets.length > maxLength)
      throw new RangeError(`${name} has ${octets.length} octets; at most ${maxLength} are allowed`)
    return Buffer.concat([Buffer.of(octets.length), octets])
  }
  if (octets.length >= maxLength || octets.includes(0))
    throw new RangeError(`${name} must have at most ${maxLength - 1} octets, none of them 0`)
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
  const { id, fields: fieldLayout } = smppCommands[command]
  const fieldValues = fields as Readonly<Record<string, string | number | Uint8Array>>
  const body =
    head.status !== undefined && head.status !== 0
      ? []
      : [
          ...Object.entries(fieldLayout).map(([name, field]) => encodeField(name, field, fieldValues[name]!)),
          ...[...tlvs].map(encodeTlv),
        ]
  const encodedPdu = Buffer.concat([Buffer.alloc(HEADER_OCTETS), ...body])
  encodedPdu.writeUInt32BE(encodedPdu.length, 0)
  encodedPdu.writeUInt32BE(id, 4)
  encodedPdu.writeUInt32BE(head.status ?? 0, 8)
  encodedPdu.writeUInt32BE(head.sequence, 12)
  return encodedPdu
}

interface ReadCursor {
  octets: Buffer
  at: number
  /** Answers are read more leniently: some peers omit their body, or the NUL at the very end. */
  isAnswer: boolean
}

type PduRefusal = Pick<SmppPduFault, 'fault' | 'status'>

function isPduRefusal(value: unknown): value is PduRefusal {
  return typeof value === 'object' && value !== null && 'fault' in value
}

function buildTruncationFault(name: string): PduRefusal {
  return { fault: `the PDU ends within ${name}`, status: smppStatusCodes.ESME_RINVCMDLEN }
}

function readText(cursor: ReadCursor, name: string, maxLength: number): string | PduRefusal {
  const { octets, at, isAnswer } = cursor
  const nulIndex = octets.indexOf(0, at)
  const end = nulIndex === -1 && isAnswer ? octets.length : nulIndex
  if (end === -1) return buildTruncationFault(name)
  if (end - at >= maxLength)
    return { fault: `${name} is longer than ${maxLength - 1} octets`, status: smppStatusCodes.ESME_RINVPARLEN }
  cursor.at = Math.min(end + 1, octets.length)
  return octets.toString('latin1', at, end)
}

function readOctets(cursor: ReadCursor, name: string): Uint8Array | PduRefusal {
  const { octets, at } = cursor
  const end = at + 1 + (octets[at] ?? 0)
  if (at >= octets.length || end > octets.length) return buildTruncationFault(name)
  cursor.at = end
  return octets.subarray(at + 1, end)
}

function readOctet(cursor: ReadCursor, name: string): number | PduRefusal {
  return cursor.octets[cursor.at++] ?? buildTruncationFault(name)
}

function readFields(cursor: ReadCursor, command: SmppCommand): Record<string, unknown> | PduRefusal {
  const fieldsRead: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(smppCommands[command].fields)) {
    const value =
      field.kind === 'octet'
        ? readOctet(cursor, name)
        : field.kind === 'text'
          ? readText(cursor, name, field.max)
          : readOctets(cursor, name)
    if (isPduRefusal(value)) return value
    fieldsRead[name] = value
  }
  return fieldsRead
}

function readTlvs({ octets, at }: ReadCursor): Map<number, Uint8Array> | PduRefusal {
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

function readBody(octets: Buffer, command: SmppCommand): { fields: object; tlvs: SmppTlvs } | PduRefusal {
  const cursor: ReadCursor = { octets, at: HEADER_OCTETS, isAnswer: isSmppResponse(smppCommands[command].id) }
  const fields = readFields(cursor, command)
  if (isPduRefusal(fields)) return fields
  const tlvs = readTlvs(cursor)
  return isPduRefusal(tlvs) ? tlvs : { fields, tlvs }
}

/**
 * Reads one PDU, whole and of the length its header says (see createSmppFrameReader). Never throws: what is malformed is a
 * fault. Optional parameters that are not known are kept, as 3.3 asks.
 */
export function decodeSmppPdu(octets: Buffer): SmppPdu | SmppPduFault {
  const commandId = octets.readUInt32BE(4)
  const sequence = octets.readUInt32BE(12)
  const command = commandsById.get(commandId)
  if (command === undefined)
    return {
      fault: `0x${commandId.toString(16)} is not a command`,
      commandId,
      sequence,
      status: smppStatusCodes.ESME_RINVCMDID,
    }
  const head = { command, status: octets.readUInt32BE(8), sequence }
  const body = readBody(octets, command)
  if (!isPduRefusal(body)) return { ...head, ...body } as SmppPdu
  // An answer that refuses should have no body: whatever it has instead is ignored.
  if (isSmppResponse(commandId) && head.status !== 0)
    return { ...head, ...readBody(octets.subarray(0, HEADER_OCTETS), command) } as SmppPdu
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
  let bufferedOctets: Buffer = Buffer.alloc(0)
  return (chunk) => {
    bufferedOctets = bufferedOctets.length === 0 ? chunk : Buffer.concat([bufferedOctets, chunk])
    while (bufferedOctets.length >= 4) {
      const pduLength = bufferedOctets.readUInt32BE(0)
      if (pduLength < HEADER_OCTETS || pduLength > MAX_SMPP_PDU_BYTES) return `a PDU of ${pduLength} octets`
      if (bufferedOctets.length < pduLength) break
      const frame = bufferedOctets.subarray(0, pduLength)
      bufferedOctets = bufferedOctets.subarray(pduLength)
      onFrame(frame)
    }
    return undefined
  }
}
