import { type SmppFields, type SmppTlvs, smppTags } from './commands.ts'

/** The position of a part in a message that came in several. */
export interface SmsConcatenation {
  reference: number
  total: number
  number: number
}

/** What a deliver_sm or data_sm carries, without its header. */
export interface SmppUserData {
  octets: Uint8Array
  concatenation: SmsConcatenation | undefined
}

/** esm_class: the user data begins with a header. */
const UDHI = 0x40

/** The concatenation elements of a user data header, by identifier: the width of the reference. */
const CONCATENATION: Readonly<Record<number, number>> = { 0: 1, 8: 2 }

/** Only what can be put together: two parts or more, numbered within them. */
function plausible(concatenation: SmsConcatenation): SmsConcatenation | undefined {
  const { total, number } = concatenation
  return total >= 2 && total <= 255 && number >= 1 && number <= total ? concatenation : undefined
}

function readElement(identifier: number, value: Uint8Array): SmsConcatenation | undefined {
  const width = CONCATENATION[identifier]
  if (width === undefined || value.length !== width + 2) return undefined
  const reference = width === 1 ? value[0]! : value[0]! * 256 + value[1]!
  return plausible({ reference, total: value[width]!, number: value[width + 1]! })
}

/** Reads the header in front of the text (3GPP TS 23.040, 9.2.3.24). One that is longer than the whole is text. */
function readHeader(octets: Uint8Array): SmppUserData {
  const end = 1 + (octets[0] ?? 0)
  if (octets.length === 0 || end > octets.length) return { octets, concatenation: undefined }
  let concatenation: SmsConcatenation | undefined
  for (let at = 1, next = 1; at + 2 <= end; at = next) {
    next = at + 2 + octets[at + 1]!
    if (next <= end) concatenation ??= readElement(octets[at]!, octets.subarray(at + 2, next))
  }
  return { octets: octets.subarray(end), concatenation }
}

function number(octets: Uint8Array | undefined): number | undefined {
  return octets === undefined || octets.length === 0
    ? undefined
    : Buffer.from(octets).readUIntBE(0, Math.min(octets.length, 4))
}

function readSar(tlvs: SmppTlvs): SmsConcatenation | undefined {
  const [reference, total, part] = [smppTags.sarReference, smppTags.sarTotal, smppTags.sarNumber].map((tag) =>
    number(tlvs.get(tag)),
  )
  if (reference === undefined || total === undefined || part === undefined) return undefined
  return plausible({ reference, total, number: part })
}

/** The text's octets and the position of the part: from the header, else from the sar_* parameters. */
export function readSmppUserData(
  fields: Pick<SmppFields<'data_sm'>, 'esmClass'> & { shortMessage?: Uint8Array },
  tlvs: SmppTlvs,
): SmppUserData {
  const { esmClass, shortMessage } = fields
  const octets = shortMessage?.length ? shortMessage : (tlvs.get(smppTags.messagePayload) ?? new Uint8Array())
  const data = (esmClass & UDHI) === 0 ? { octets, concatenation: undefined } : readHeader(octets)
  return { ...data, concatenation: data.concatenation ?? readSar(tlvs) }
}
