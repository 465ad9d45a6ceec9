import { isJsonObject } from '../objects.ts'
import { AT_SIGN_PATTERN } from './at-sign.ts'

/** The personal data of an account's contacts that is masked. */
export interface PersonalFields {
  /** Ids and names of the fields that hold addresses and numbers. */
  fields: ReadonlySet<string>
  /** True if the unicity is made of any of them. */
  unicity: boolean
}

/** An @, also where it is escaped. It is looked for first: what stands around it is read from there, and the rest of a text once. */
const atSigns = new RegExp(AT_SIGN_PATTERN, 'giu')
/** A character of a local part without quotes. */
const LOCAL_CHARACTER = String.raw`[^\s<>"(),:;[\]{}\\=&?/#@]`
/** The local part of an address, of 64 characters at most, at the end of what stands before its @. */
const localPartPattern = new RegExp(String.raw`(?:"[^"\r\n]{1,64}"|${LOCAL_CHARACTER}{1,64})$`, 'u')
/** The last character of a local part. */
const localEndPattern = new RegExp(`"|${LOCAL_CHARACTER}`)
/** As many code units as hold a local part. */
const MAX_LOCAL_LENGTH = 2 * 66
const domainPattern = /[^\s<>"'(),:;[\]{}\\|=&?/#@]+/uy

/** Text that is an address as a whole, also with what may not follow one elsewhere, such as a value joined to it in a unicity. */
const wholeAddressPattern = /^[^\s@<>(),:;"[\]\\]+@[^\s@<>(),:;"[\]\\]+$/u

/** Texts that look like a phone number and are not: ids, dates, instants. */
const NON_PHONE_PATTERN = String.raw`\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+Z?)?(?!\d)|\b(?:19|20)\d{6}\b`
/** The hash of a unicity; in the address of a picture such digits are something else. */
const HASH_PATTERN = String.raw`(?<![\w-]|/m/)[0-9a-f]{32}(?![\w-])`
/** A digit and the next one, which may stand apart. A number has 15 at most (E.164). */
const DIGIT_PATTERN = String.raw`\d(?:[ \u00a0.()-]{0,2}\d)`
/** The plus of a number, also where it is escaped; all backslashes of a run are part of it. */
const PLUS_PATTERN = String.raw`(?:\+|%(?:25){0,8}2B|(?<!\\)\\+(?:u002B|x2B)|&(?:amp;){0,8}(?:#0{0,6}43|#x0{0,6}2B|plus);)`
const INTERNATIONAL_NUMBER = String.raw`${PLUS_PATTERN}${DIGIT_PATTERN}{6,14}(?!\d)`
/** A number without a plus. Ids of contacts begin with zeros. */
const NATIONAL_NUMBER = String.raw`(?<![\p{L}\p{N}_.-])(?!000)${DIGIT_PATTERN}{7,14}(?![\p{L}\p{N}_])`

const leadingPlusPattern = new RegExp(`^${PLUS_PATTERN}`, 'i')
const certainNumbers = new RegExp(`${NON_PHONE_PATTERN}|${HASH_PATTERN}|${INTERNATIONAL_NUMBER}`, 'giu')
const likelyNumbers = new RegExp(
  `${NON_PHONE_PATTERN}|${HASH_PATTERN}|${INTERNATIONAL_NUMBER}|${NATIONAL_NUMBER}`,
  'giu',
)
const nonPhonePattern = new RegExp(`^(?:${NON_PHONE_PATTERN})$`, 'iu')
const wholeHashPattern = /^[0-9a-f]{32}$/i

/** Members whose digits are the account's own: in what they hold only a number with a plus is taken for one. */
const thingNamePattern = /^(?:\d+|id|name|description|title|unicity|code)$/i
/** Members that callers fill as they like: numbers of JSON in them may be anything. */
const freeMembers = new Set(['data', 'variables', 'state', 'blocks', 'environment', 'arguments', 'result'])
/** No smaller number of JSON is the number of a telephone. */
const MIN_PHONE_NUMBER = 10_000_000

function maskAddress(address: string): string {
  // The last one: the text behind it holds none.
  const textAfterAt = address.split(atSigns).at(-1) ?? ''
  const punctuation = /(?<![.!])[.!]+$/.exec(textAfterAt)?.[0] ?? ''
  const domain = textAfterAt.slice(0, textAfterAt.length - punctuation.length)
  const lastDotIndex = domain.lastIndexOf('.')
  const [[firstOfLocal = ''], [firstOfDomain = '']] = [address, domain]
  return `${firstOfLocal}…@${firstOfDomain}…${lastDotIndex > 0 ? domain.slice(lastDotIndex) : ''}${punctuation}`
}

function maskAddresses(text: string): string {
  let maskedText = ''
  let maskedUntil = 0
  for (const { 0: atSign, index } of text.matchAll(atSigns)) {
    if (index < maskedUntil || !localEndPattern.test(text.charAt(index - 1))) continue
    const [localText] = localPartPattern.exec(text.slice(Math.max(maskedUntil, index - MAX_LOCAL_LENGTH), index)) ?? []
    if (localText === undefined) continue
    domainPattern.lastIndex = index + atSign.length
    const [domainText] = domainPattern.exec(text) ?? []
    if (domainText === undefined) continue
    const addressStart = index - localText.length
    const addressEnd = index + atSign.length + domainText.length
    maskedText += text.slice(maskedUntil, addressStart) + maskAddress(text.slice(addressStart, addressEnd))
    maskedUntil = addressEnd
  }
  return maskedText + text.slice(maskedUntil)
}

function maskNumber(number: string): string {
  const digitsText = number.replace(leadingPlusPattern, '')
  const digits = digitsText.replaceAll(/\D/g, '')
  const plusSign = digitsText === number ? '' : '+'
  return digits.length < 6 ? '…' : `${plusSign}${digits.slice(0, 2)}…${digits.slice(-2)}`
}

function maskMatch(matchedText: string): string {
  if (nonPhonePattern.test(matchedText)) return matchedText
  return wholeHashPattern.test(matchedText) ? '' : maskNumber(matchedText)
}

/**
 * A text in which every address is `a…@e….example`, every number `+33…12`, and every hash of a unicity is left out.
 * `onlyCertain`: numbers without a plus stay.
 */
export function maskAddressesInText(text: string, { onlyCertain = false } = {}): string {
  if (wholeAddressPattern.test(text)) return maskAddress(text)
  return maskAddresses(text).replaceAll(onlyCertain ? certainNumbers : likelyNumbers, maskMatch)
}

/** A text with this number of digits may be a phone number in some country. */
const MIN_PHONE_DIGITS = 5

/** The value of a field that holds an address or a number, whatever form it has; words of other things by that name stay. */
export function maskFieldValue(value: string): string {
  const maskedText = maskAddressesInText(value)
  const isNumber = maskedText === value && value.replaceAll(/\D/g, '').length >= MIN_PHONE_DIGITS
  return isNumber && !value.includes('…') ? maskNumber(value) : maskedText
}

/** The context of a value: the member that holds it or its list, and whether callers fill it freely. */
interface ValueContext {
  member: string
  isFree: boolean
}

function maskString(text: string, { member, isFree }: ValueContext, { fields, unicity }: PersonalFields): string {
  if (member === 'hash' && wholeHashPattern.test(text)) return ''
  if (fields.has(member) || (unicity && member === 'unicity')) return maskFieldValue(text)
  return maskAddressesInText(text, { onlyCertain: !isFree && thingNamePattern.test(member) })
}

function maskValue(value: unknown, place: ValueContext, personal: PersonalFields): unknown {
  if (typeof value === 'string') return maskString(value, place, personal)
  if (typeof value === 'number')
    return place.isFree && Number.isSafeInteger(value) && value >= MIN_PHONE_NUMBER ? maskNumber(String(value)) : value
  if (Array.isArray(value)) return value.map((item) => maskValue(item, place, personal))
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).map(([member, memberValue]) => {
    const isFree = place.isFree || freeMembers.has(member)
    return [maskAddressesInText(member, { onlyCertain: true }), maskValue(memberValue, { member, isFree }, personal)]
  })
  return Object.fromEntries(members)
}

/**
 * A parsed JSON document as people see it who may not see addresses and numbers: values of email and phone fields, the
 * unicity made of them, what is free text, and hashes of a unicity.
 */
export function maskJsonDocument(document: unknown, personal: PersonalFields): unknown {
  return maskValue(document, { member: '', isFree: false }, personal)
}
