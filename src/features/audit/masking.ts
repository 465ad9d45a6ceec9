import { isJsonObject } from '../../lib/objects.ts'
import { AT_SIGN_PATTERN } from '../../lib/text/at-sign.ts'

/** Replaces a value that is stored nowhere. */
export const AUDIT_MASK = '***'

/** A text that is longer is never shown, so it is not looked through. */
const MAX_TEXT_LENGTH = 16 * 1024

// Bounded repetitions: the time is linear in the length, whatever stands in the text.
const EMAIL_PATTERN = new RegExp(
  String.raw`[\p{L}\p{N}._%+'-]{1,64}${AT_SIGN_PATTERN}(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}\p{N}-]{2,63}`,
  'giu',
)
/** With its plus or 00, in pairs of digits, or digits alone that are no part of a longer word. */
const PHONE_PATTERN =
  /(?:\+|(?<![\w-])00)\d(?:[ ()./-]{0,2}\d){6,14}|(?<![\w.:-])0\d(?:[ .-]?\d\d){4}(?![\w:-])|(?<![\w.:/-])\d{9,15}(?![\w:/-])/g
/** Name and password of an address: `https://name:password@host`. */
const CREDENTIALS_PATTERN = /(?<=:\/\/)[^\s/?#@"'<>]{1,256}@/g

/** A text in which every mail address, telephone number and password of an address is masked. */
export function maskPersonalText(text: string): string {
  return text
    .replace(CREDENTIALS_PATTERN, `${AUDIT_MASK}@`)
    .replace(EMAIL_PATTERN, AUDIT_MASK)
    .replace(PHONE_PATTERN, AUDIT_MASK)
}

/** Members that hold an address or number of the account itself: who changed it must be seen. */
const ACCOUNT_ADDRESS_POINTER = /\/(?:reply|sender)$/

function maskPersonalValue(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_TEXT_LENGTH ? { omitted: value.length } : maskPersonalText(value)
  if (Array.isArray(value)) return value.map(maskPersonalValue)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      maskPersonalText(name),
      /^(?:reply|sender)$/.test(name) ? member : maskPersonalValue(member),
    ]),
  )
}

/** Changes in whose texts no address or number is left, but those that the account sends from. */
export function maskAuditChangeTexts(
  changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>,
): Record<string, [before: unknown, after: unknown]> {
  return Object.fromEntries(
    Object.entries(changes).map(([pointer, [before, after]]) => [
      maskPersonalText(pointer),
      ACCOUNT_ADDRESS_POINTER.test(pointer) ? [before, after] : [maskPersonalValue(before), maskPersonalValue(after)],
    ]),
  )
}
