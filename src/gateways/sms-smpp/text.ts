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

const UCS2_DATA_CODING = 0x08
const NO_TLVS: SmppTlvs = new Map()

/** A 16-bit reference takes an octet more than the 8-bit one that counting knows. */
const UDH16_CAPACITY: Readonly<Record<SmsEncoding, SmsSegmentSize>> = {
  gsm7: { single: 160, part: 152 },
  ucs2: { single: 70, part: 66 },
}

const LATIN1_PATTERN = /^[\x00-\xff]*$/

interface TextCoding {
  encoding: SmsEncoding
  dataCoding: number
  encode: (text: string) => Uint8Array
}

const ucs2Coding: TextCoding = {
  encoding: 'ucs2',
  dataCoding: UCS2_DATA_CODING,
  encode: (text) => Buffer.from(text, 'utf16le').swap16(),
}

/** Selects the encoding of a text; UCS-2 if a character is missing in the message centre's default alphabet. */
function selectCoding(text: string, wished: SmsEncoding, { alphabet, dataCoding }: SmppSettings): TextCoding {
  if (wished === 'ucs2') return ucs2Coding
  if (alphabet === 'latin1')
    return LATIN1_PATTERN.test(text)
      ? { encoding: 'gsm7', dataCoding, encode: (part) => Buffer.from(part, 'latin1') }
      : ucs2Coding
  return encodeGsmText(text) === undefined
    ? ucs2Coding
    : { encoding: 'gsm7', dataCoding, encode: (part) => encodeGsmText(part) ?? new Uint8Array() }
}

/** A concatenation element (3GPP TS 23.040, 9.2.3.24.1 and 9.2.3.24.8) as a user data header of its own. */
function buildConcatenationHeader(
  longMode: 'udh8' | 'udh16',
  reference: number,
  total: number,
  number: number,
): Uint8Array {
  return longMode === 'udh8'
    ? Uint8Array.of(5, 0x00, 3, reference & 0xff, total, number)
    : Uint8Array.of(6, 0x08, 4, (reference >> 8) & 0xff, reference & 0xff, total, number)
}

function buildSarTlvs(reference: number, total: number, number: number): SmppTlvs {
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
  const { encoding, dataCoding, encode } = selectCoding(text, wished, settings)
  const { long: longMode } = settings
  const plainPart = { dataCoding, hasHeader: false, tlvs: NO_TLVS }
  const partTexts = splitSmsText(text, encoding, longMode === 'udh16' ? UDH16_CAPACITY[encoding] : undefined)
  if (partTexts.length === 1) return [{ ...plainPart, shortMessage: encode(text) }]
  if (longMode === 'payload')
    return [{ ...plainPart, shortMessage: new Uint8Array(), tlvs: new Map([[smppTags.messagePayload, encode(text)]]) }]
  return partTexts.map((part, index) => {
    const octets = encode(part)
    if (longMode === 'sar')
      return { ...plainPart, shortMessage: octets, tlvs: buildSarTlvs(reference, partTexts.length, index + 1) }
    const partHeader = buildConcatenationHeader(longMode, reference, partTexts.length, index + 1)
    return { ...plainPart, hasHeader: true, shortMessage: Buffer.concat([partHeader, octets]) }
  })
}

/** Returns the alphabet of octets according to data_coding (SMPP 3.4, 5.2.19; above 0x0f, 3GPP TS 23.038, section 4). */
export function getSmppAlphabet(dataCoding: number): 'default' | 'ascii' | 'latin1' | 'ucs2' | 'octets' {
  if (dataCoding >= 0xf0) return (dataCoding & 0x04) === 0 ? 'default' : 'octets'
  if (dataCoding >= 0x10) {
    const codingBits = dataCoding & 0x0c
    return codingBits === 0x08 ? 'ucs2' : codingBits === 0x04 ? 'octets' : 'default'
  }
  const knownAlphabets = { 1: 'ascii', 2: 'octets', 3: 'latin1', 4: 'octets', 8: 'ucs2' } as const
  return knownAlphabets[dataCoding as keyof typeof knownAlphabets] ?? 'default'
}

function decodeUtf16(octets: Uint8Array): string {
  const evenOctets = Buffer.from(octets.subarray(0, octets.length & ~1))
  return evenOctets.swap16().toString('utf16le').toWellFormed()
}

/** Some peers declare ASCII and write GSM 03.38; characters that no ASCII text has show it. */
const ASCII_PATTERN = /^[\t\n\r\x20-\x7e]*$/

/** The text of received octets. Never throws: unreadable characters become the replacement character. */
export function decodeSmppText(
  octets: Uint8Array,
  dataCoding: number,
  { alphabet }: Pick<SmppSettings, 'alphabet'>,
): string {
  const declaredAlphabet = getSmppAlphabet(dataCoding)
  if (declaredAlphabet === 'ucs2') return decodeUtf16(octets)
  const latin1 = Buffer.from(octets).toString('latin1')
  const isGsm =
    alphabet === 'gsm7' &&
    (declaredAlphabet === 'default' || (declaredAlphabet === 'ascii' && !ASCII_PATTERN.test(latin1)))
  return isGsm ? decodeGsmText(octets) : latin1
}
