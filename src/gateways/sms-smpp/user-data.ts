import { type SmppFields, type SmppTlvs, smppTags } from './commands.ts'

/** The position of a part in a message that came in several. */
export interface SmsConcatenation {
  reference: number
  total: number
  number: number
}

/** Payload of a deliver_sm or data_sm, without its header. */
export interface SmppUserData {
  octets: Uint8Array
  concatenation: SmsConcatenation | undefined
}

/** esm_class: the user data begins with a header. */
const UDHI_FLAG = 0x40

/** The concatenation elements of a user data header, by identifier: the width of the reference. */
const CONCATENATION_WIDTHS: Readonly<Record<number, number>> = { 0: 1, 8: 2 }

/** Only what can be put together: two parts or more, numbered within them. */
function requirePlausible(concatenation: SmsConcatenation): SmsConcatenation | undefined {
  const { total, number } = concatenation
  return total >= 2 && total <= 255 && number >= 1 && number <= total ? concatenation : undefined
}

function parseElement(identifier: number, value: Uint8Array): SmsConcatenation | undefined {
  const referenceWidth = CONCATENATION_WIDTHS[identifier]
  if (referenceWidth === undefined || value.length !== referenceWidth + 2) return undefined
  const reference = referenceWidth === 1 ? value[0]! : value[0]! * 256 + value[1]!
  return requirePlausible({ reference, total: value[referenceWidth]!, number: value[referenceWidth + 1]! })
}

/** Reads the header in front of the text (3GPP TS 23.040, 9.2.3.24). One that is longer than the whole is text. */
function splitHeader(octets: Uint8Array): SmppUserData {
  const headerEnd = 1 + (octets[0] ?? 0)
  if (octets.length === 0 || headerEnd > octets.length) return { octets, concatenation: undefined }
  let concatenation: SmsConcatenation | undefined
  for (let position = 1, nextPosition = 1; position + 2 <= headerEnd; position = nextPosition) {
    nextPosition = position + 2 + octets[position + 1]!
    if (nextPosition <= headerEnd)
      concatenation ??= parseElement(octets[position]!, octets.subarray(position + 2, nextPosition))
  }
  return { octets: octets.subarray(headerEnd), concatenation }
}

function number(octets: Uint8Array | undefined): number | undefined {
  return octets === undefined || octets.length === 0
    ? undefined
    : Buffer.from(octets).readUIntBE(0, Math.min(octets.length, 4))
}

function readSarParameters(tlvs: SmppTlvs): SmsConcatenation | undefined {
  const [reference, total, part] = [smppTags.sarReference, smppTags.sarTotal, smppTags.sarNumber].map((tag) =>
    number(tlvs.get(tag)),
  )
  if (reference === undefined || total === undefined || part === undefined) return undefined
  return requirePlausible({ reference, total, number: part })
}

/** The text's octets and the position of the part: from the header, else from the sar_* parameters. */
export function readSmppUserData(
  fields: Pick<SmppFields<'data_sm'>, 'esmClass'> & { shortMessage?: Uint8Array },
  tlvs: SmppTlvs,
): SmppUserData {
  const { esmClass, shortMessage } = fields
  const octets = shortMessage?.length ? shortMessage : (tlvs.get(smppTags.messagePayload) ?? new Uint8Array())
  const data = (esmClass & UDHI_FLAG) === 0 ? { octets, concatenation: undefined } : splitHeader(octets)
  return { ...data, concatenation: data.concatenation ?? readSarParameters(tlvs) }
}
