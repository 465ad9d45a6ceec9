import { isJsonObject } from '../objects.ts'
import { AT_SIGN_PATTERN } from './at-sign.ts'

/** What of an account's contacts is masked. */
export interface PersonalFields {
  /** Ids and names of the fields that hold addresses and numbers. */
  fields: ReadonlySet<string>
  /** Whether the unicity is made of any of them. */
  unicity: boolean
}

/** An @, also where it is escaped. It is looked for first: what stands around it is read from there, and the rest of a text once. */
const atSigns = new RegExp(AT_SIGN_PATTERN, 'giu')
/** A character of a local part without quotes. */
const LOCAL = String.raw`[^\s<>"(),:;[\]{}\\=&?/#@]`
/** The local part of an address, of 64 characters at most, at the end of what stands before its @. */
const localPart = new RegExp(String.raw`(?:"[^"\r\n]{1,64}"|${LOCAL}{1,64})$`, 'u')
/** The last character of a local part. */
const endOfLocal = new RegExp(`"|${LOCAL}`)
/** As many code units as hold a local part. */
const MAX_LOCAL = 2 * 66
const domainPart = /[^\s<>"'(),:;[\]{}\\|=&?/#@]+/uy

/** Text that is an address as a whole, also with what may not follow one elsewhere, such as a value joined to it in a unicity. */
const wholeAddress = /^[^\s@<>(),:;"[\]\\]+@[^\s@<>(),:;"[\]\\]+$/u

/** What looks like a number and is none: ids, dates, instants. */
const NO_NUMBER = String.raw`\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+Z?)?(?!\d)|\b(?:19|20)\d{6}\b`
/** The hash of a unicity; in the address of a picture such digits are something else. */
const HASH = String.raw`(?<![\w-]|/m/)[0-9a-f]{32}(?![\w-])`
/** A digit and the next one, which may stand apart. A number has 15 at most (E.164). */
const DIGITS = String.raw`\d(?:[ \u00a0.()-]{0,2}\d)`
/** The plus of a number, also where it is escaped; all backslashes of a run are part of it. */
const PLUS = String.raw`(?:\+|%(?:25){0,8}2B|(?<!\\)\\+(?:u002B|x2B)|&(?:amp;){0,8}(?:#0{0,6}43|#x0{0,6}2B|plus);)`
const INTERNATIONAL = String.raw`${PLUS}${DIGITS}{6,14}(?!\d)`
/** A number without a plus. Ids of contacts begin with zeros. */
const NATIONAL = String.raw`(?<![\p{L}\p{N}_.-])(?!000)${DIGITS}{7,14}(?![\p{L}\p{N}_])`

const leadingPlus = new RegExp(`^${PLUS}`, 'i')
const certainNumbers = new RegExp(`${NO_NUMBER}|${HASH}|${INTERNATIONAL}`, 'giu')
const likelyNumbers = new RegExp(`${NO_NUMBER}|${HASH}|${INTERNATIONAL}|${NATIONAL}`, 'giu')
const noNumber = new RegExp(`^(?:${NO_NUMBER})$`, 'iu')
const wholeHash = /^[0-9a-f]{32}$/i

/** Members whose digits are the account's own: in what they hold only a number with a plus is taken for one. */
const namesOfThings = /^(?:\d+|id|name|description|title|unicity|code)$/i
/** Members that callers fill as they like: numbers of JSON in them may be anything. */
const freeMembers = new Set(['data', 'variables', 'state', 'blocks', 'environment', 'arguments', 'result'])
/** No smaller number of JSON is the number of a telephone. */
const SMALLEST_NUMBER = 10_000_000

function maskAddress(address: string): string {
  // The last one: the text behind it holds none.
  const behind = address.split(atSigns).at(-1) ?? ''
  const punctuation = /(?<![.!])[.!]+$/.exec(behind)?.[0] ?? ''
  const domain = behind.slice(0, behind.length - punctuation.length)
  const dot = domain.lastIndexOf('.')
  const [[first = ''], [firstOfDomain = '']] = [address, domain]
  return `${first}…@${firstOfDomain}…${dot > 0 ? domain.slice(dot) : ''}${punctuation}`
}

function maskAddresses(text: string): string {
  let masked = ''
  let done = 0
  for (const { 0: sign, index } of text.matchAll(atSigns)) {
    if (index < done || !endOfLocal.test(text.charAt(index - 1))) continue
    const [local] = localPart.exec(text.slice(Math.max(done, index - MAX_LOCAL), index)) ?? []
    if (local === undefined) continue
    domainPart.lastIndex = index + sign.length
    const [domain] = domainPart.exec(text) ?? []
    if (domain === undefined) continue
    const start = index - local.length
    const end = index + sign.length + domain.length
    masked += text.slice(done, start) + maskAddress(text.slice(start, end))
    done = end
  }
  return masked + text.slice(done)
}

function maskNumber(number: string): string {
  const bare = number.replace(leadingPlus, '')
  const digits = bare.replaceAll(/\D/g, '')
  const plus = bare === number ? '' : '+'
  return digits.length < 6 ? '…' : `${plus}${digits.slice(0, 2)}…${digits.slice(-2)}`
}

function maskFound(found: string): string {
  if (noNumber.test(found)) return found
  return wholeHash.test(found) ? '' : maskNumber(found)
}

/**
 * A text in which every address is `a…@e….example`, every number `+33…12`, and every hash of a unicity is left out.
 * `onlyCertain`: numbers without a plus stay.
 */
export function maskAddressesInText(text: string, { onlyCertain = false } = {}): string {
  if (wholeAddress.test(text)) return maskAddress(text)
  return maskAddresses(text).replaceAll(onlyCertain ? certainNumbers : likelyNumbers, maskFound)
}

/** What has so many digits may be a number that some country has. */
const FEWEST_DIGITS = 5

/** The value of a field that holds an address or a number, whatever form it has; words of other things by that name stay. */
export function maskFieldValue(value: string): string {
  const masked = maskAddressesInText(value)
  const isNumber = masked === value && value.replaceAll(/\D/g, '').length >= FEWEST_DIGITS
  return isNumber && !value.includes('…') ? maskNumber(value) : masked
}

/** Where a value stands: the member that gives it, or its list, and whether callers fill it as they like. */
interface Place {
  member: string
  isFree: boolean
}

function maskString(text: string, { member, isFree }: Place, { fields, unicity }: PersonalFields): string {
  if (member === 'hash' && wholeHash.test(text)) return ''
  if (fields.has(member) || (unicity && member === 'unicity')) return maskFieldValue(text)
  return maskAddressesInText(text, { onlyCertain: !isFree && namesOfThings.test(member) })
}

function maskAt(value: unknown, place: Place, personal: PersonalFields): unknown {
  if (typeof value === 'string') return maskString(value, place, personal)
  if (typeof value === 'number')
    return place.isFree && Number.isSafeInteger(value) && value >= SMALLEST_NUMBER ? maskNumber(String(value)) : value
  if (Array.isArray(value)) return value.map((item) => maskAt(item, place, personal))
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).map(([member, one]) => {
    const isFree = place.isFree || freeMembers.has(member)
    return [maskAddressesInText(member, { onlyCertain: true }), maskAt(one, { member, isFree }, personal)]
  })
  return Object.fromEntries(members)
}

/**
 * A parsed JSON document as people see it who may not see addresses and numbers: values of email and phone fields, the
 * unicity made of them, what is free text, and hashes of a unicity.
 */
export function maskJsonDocument(document: unknown, personal: PersonalFields): unknown {
  return maskAt(document, { member: '', isFree: false }, personal)
}
