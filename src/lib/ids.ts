import { createHash, randomBytes } from 'node:crypto'
import { MAX_INT32 } from './int32.ts'

const ACTION_ID_LENGTH = 6
const CONTACT_ID_LENGTH = 8

/** Base 36, upper case, left-padded with 0 to `length` characters. */
function toBase36(id: number, length: number): string {
  return id.toString(36).toUpperCase().padStart(length, '0')
}

/** Ids are read with their zeros: "12" is not contact 00000012, which nobody has named. */
function fromBase36(text: string, length: number): number | undefined {
  return text.length === length && /^[0-9A-Za-z]+$/.test(text) ? Number.parseInt(text, 36) : undefined
}

/** Wire form of an action or form id: 6 characters `[0-9A-Z]`. */
export function formatActionId(id: number): string {
  return toBase36(id, ACTION_ID_LENGTH)
}

/** Reads an action or form id in either case; undefined when ill-formed or beyond int32. Unpadded forms are ill-formed. */
export function parseActionId(text: string): number | undefined {
  const id = fromBase36(text, ACTION_ID_LENGTH)
  return id !== undefined && id <= MAX_INT32 ? id : undefined
}

/** Wire form of a contact id: 8 characters `[0-9A-Z]`. */
export function formatContactId(id: number): string {
  return toBase36(id, CONTACT_ID_LENGTH)
}

/** Reads a contact id in either case; undefined when ill-formed. Unpadded forms are ill-formed. */
export function parseContactId(text: string): number | undefined {
  return fromBase36(text, CONTACT_ID_LENGTH)
}

/** Reads an int32 id from 1 as it stands in a path; undefined when ill-formed. */
export function parseInt32Id(text: string): number | undefined {
  if (!/^\d{1,10}$/.test(text)) return undefined
  const id = Number(text)
  return id >= 1 && id <= MAX_INT32 ? id : undefined
}

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Reads a UUID of any version in either case and gives it in lower case; undefined when ill-formed. */
export function parseUuid(text: string): string | undefined {
  const lowerCaseText = text.toLowerCase()
  return UUID_PATTERN.test(lowerCaseText) ? lowerCaseText : undefined
}

/** Values of the hexadecimal digits, by their codes. */
const HEX_DIGIT_VALUES = Uint8Array.from(
  { length: 128 },
  (_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0,
)
/** The position of each pair of digits in the text of a UUID. */
const DIGIT_PAIR_OFFSETS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

/** Writes the 16 bytes of a well-formed UUID from `at` on. */
export function writeUuidBytes(uuid: string, bytes: Uint8Array, at: number): void {
  for (const pairOffset of DIGIT_PAIR_OFFSETS)
    bytes[at++] =
      (HEX_DIGIT_VALUES[uuid.charCodeAt(pairOffset)]! << 4) | HEX_DIGIT_VALUES[uuid.charCodeAt(pairOffset + 1)]!
}

/** The lower-case text of 16 bytes. */
export function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A UUID version 7 (RFC 9562, 5.7) of the given instant in milliseconds; the other 74 bits are random. */
export function createUuidV7(timeMs: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(timeMs, 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return formatUuid(bytes)
}

/** UUIDs as of `createUuidV7`, in rising order. */
export function createUuidsV7(count: number, timeMs: number): string[] {
  return Array.from({ length: count }, () => createUuidV7(timeMs)).sort()
}

/** A name-based UUID (version 5, RFC 9562 section 5.5) in a namespace of this service. */
export function createNamedUuid(...names: readonly (string | number)[]): string {
  const bytes = createHash('sha1').update(names.join('\u0000')).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return formatUuid(bytes)
}
