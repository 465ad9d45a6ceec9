import { decodeGsmText, encodeGsmText } from '../../lib/text/gsm.ts'
import { type SmsEncoding, type SmsSegmentSize, splitSmsText } from '../../lib/text/sms.ts'
import { type SmppTlvs, smppTags } from './commands.ts'
import type { SmppSettings } from './settings.ts'

/** The part of a text that one submit_sm carries. */
export interface SmppTextPart {
  dataCoding: number
  /** esm_class: the user data begins with a header (5.2.12). */
  hasHeader: boolean
  shortMessage: Uint8Array
  tlvs: SmppTlvs
}

const UCS2 = 0x08
const NO_TLVS: SmppTlvs = new Map()

/** A 16-bit reference takes an octet more than the 8-bit one that counting knows. */
const ROOM_UDH16: Readonly<Record<SmsEncoding, SmsSegmentSize>> = {
  gsm7: { single: 160, part: 152 },
  ucs2: { single: 70, part: 66 },
}

const LATIN1 = /^[\x00-\xff]*$/

interface Coding {
  encoding: SmsEncoding
  dataCoding: number
  encode: (text: string) => Uint8Array
}

const ucs2: Coding = {
  encoding: 'ucs2',
  dataCoding: UCS2,
  encode: (text) => Buffer.from(text, 'utf16le').swap16(),
}

/** How a text is encoded; UCS-2 when the message centre's default alphabet lacks a character. */
function codingFor(text: string, wished: SmsEncoding, { alphabet, dataCoding }: SmppSettings): Coding {
  if (wished === 'ucs2') return ucs2
  if (alphabet === 'latin1')
    return LATIN1.test(text) ? { encoding: 'gsm7', dataCoding, encode: (part) => Buffer.from(part, 'latin1') } : ucs2
  return encodeGsmText(text) === undefined
    ? ucs2
    : { encoding: 'gsm7', dataCoding, encode: (part) => encodeGsmText(part) ?? new Uint8Array() }
}

/** A concatenation element (3GPP TS 23.040, 9.2.3.24.1 and 9.2.3.24.8) as a user data header of its own. */
function header(long: 'udh8' | 'udh16', reference: number, total: number, number: number): Uint8Array {
  return long === 'udh8'
    ? Uint8Array.of(5, 0x00, 3, reference & 0xff, total, number)
    : Uint8Array.of(6, 0x08, 4, (reference >> 8) & 0xff, reference & 0xff, total, number)
}

function sarTlvs(reference: number, total: number, number: number): SmppTlvs {
  return new Map([
    [smppTags.sarReference, Uint8Array.of((reference >> 8) & 0xff, reference & 0xff)],
    [smppTags.sarTotal, Uint8Array.of(total)],
    [smppTags.sarNumber, Uint8Array.of(number)],
  ])
}

/**
 * The parts of a text; long ones are divided as the settings say. `reference` is the same for all of them, and
 * differs between messages to one handset as far as its 8 or 16 bits go.
 */
export function splitSmppText(
  { text, encoding: wished }: { text: string; encoding: SmsEncoding },
  reference: number,
  settings: SmppSettings,
): SmppTextPart[] {
  const { encoding, dataCoding, encode } = codingFor(text, wished, settings)
  const { long } = settings
  const plain = { dataCoding, hasHeader: false, tlvs: NO_TLVS }
  const texts = splitSmsText(text, encoding, long === 'udh16' ? ROOM_UDH16[encoding] : undefined)
  if (texts.length === 1) return [{ ...plain, shortMessage: encode(text) }]
  if (long === 'payload')
    return [{ ...plain, shortMessage: new Uint8Array(), tlvs: new Map([[smppTags.messagePayload, encode(text)]]) }]
  return texts.map((part, index) => {
    const octets = encode(part)
    if (long === 'sar') return { ...plain, shortMessage: octets, tlvs: sarTlvs(reference, texts.length, index + 1) }
    const head = header(long, reference, texts.length, index + 1)
    return { ...plain, hasHeader: true, shortMessage: Buffer.concat([head, octets]) }
  })
}

/** What data_coding (SMPP 3.4, 5.2.19; above 0x0f as 3GPP TS 23.038, section 4) says octets are. */
export function getSmppAlphabet(dataCoding: number): 'default' | 'ascii' | 'latin1' | 'ucs2' | 'octets' {
  if (dataCoding >= 0xf0) return (dataCoding & 0x04) === 0 ? 'default' : 'octets'
  if (dataCoding >= 0x10) {
    const bits = dataCoding & 0x0c
    return bits === 0x08 ? 'ucs2' : bits === 0x04 ? 'octets' : 'default'
  }
  const known = { 1: 'ascii', 2: 'octets', 3: 'latin1', 4: 'octets', 8: 'ucs2' } as const
  return known[dataCoding as keyof typeof known] ?? 'default'
}

function decodeUtf16(octets: Uint8Array): string {
  const even = Buffer.from(octets.subarray(0, octets.length & ~1))
  return even.swap16().toString('utf16le').toWellFormed()
}

/** Some peers declare ASCII and write GSM 03.38; characters that no ASCII text has show it. */
const ASCII = /^[\t\n\r\x20-\x7e]*$/

/** The text of received octets. Never throws: unreadable characters become the replacement character. */
export function decodeSmppText(
  octets: Uint8Array,
  dataCoding: number,
  { alphabet }: Pick<SmppSettings, 'alphabet'>,
): string {
  const named = getSmppAlphabet(dataCoding)
  if (named === 'ucs2') return decodeUtf16(octets)
  const latin1 = Buffer.from(octets).toString('latin1')
  const isGsm = alphabet === 'gsm7' && (named === 'default' || (named === 'ascii' && !ASCII.test(latin1)))
  return isGsm ? decodeGsmText(octets) : latin1
}
