import { isJsonObject } from '../../lib/objects.ts'
import { replaceTextSpans } from '../../lib/text/spans-of-text.ts'
import type { IdentityField } from './identity-fields.ts'
import { AUDIT_MASK } from './masking.ts'

/** Says whether a text names what tells one contact from another: an address, a number, the unicity or its hash. */
type Mentions = (text: string) => boolean

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** `contact.fields.12`, `row["Email"]`, `contact.unicity`: members by id and by name. */
function mentionsOf(fields: readonly IdentityField[]): Mentions {
  const names = ['unicity', 'hash', ...fields.flatMap(({ id, name }) => [String(id), name])].map(escaped).join('|')
  const member = new RegExp(`(?:\\.|\\[\\s*["'\`]?)(?:${names})(?![\\p{L}\\p{N}_])`, 'iu')
  return (text) => member.test(text)
}

/** Every text and number in a value; how it is made up stays to be seen. */
export function maskAllLiterals(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return AUDIT_MASK
  if (Array.isArray(value)) return value.map(maskAllLiterals)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskAllLiterals(member)]))
}

const QUOTE_OR_NUMBER = /["'`]|(?<![\w.])\d{4,}(?![\w.])/g
const [TAG_START, TAG_END] = [/\{[{%]/g, /[%}]\}/g]
const WHEN = /^\{%-?\s*when\b/

/** Finds the end of the literal whose quote is at `start`: behind its closing quote, or the place where it breaks off without one. */
function endOfLiteral(text: string, start: number): { end: number; isClosed: boolean } {
  const quote = text[start]
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === quote) return { end: at + 1, isClosed: true }
    const isEscape = text[at] === '\\'
    if (isEscape) at++
    if (text[at] === '\n' && (isEscape || quote !== '`')) return { end: at, isClosed: false }
  }
  return { end: text.length, isClosed: false }
}

/** Masks literals of texts and long numbers; walks the text once, however many quotes it leaves open. */
function maskQuoted(text: string): string {
  let masked = ''
  let end = 0
  // No quote of a kind closes before where one of that kind broke off.
  const openUntil = new Map<string, number>()
  for (const { 0: found, index } of text.matchAll(QUOTE_OR_NUMBER)) {
    if (index < end || index < (openUntil.get(found) ?? 0)) continue
    const isNumber = found.length > 1
    const literal = isNumber ? { end: index + found.length, isClosed: true } : endOfLiteral(text, index)
    if (!literal.isClosed) {
      openUntil.set(found, literal.end)
      continue
    }
    masked += `${text.slice(end, index)}${isNumber ? AUDIT_MASK : `"${AUDIT_MASK}"`}`
    end = literal.end
  }
  return masked + text.slice(end)
}

/** Literals of a template or script that stand beside such a member: in the same tag, or on the same line. */
function maskCode(text: string, mentions: Mentions): string {
  if (!mentions(text)) return text
  if (!/\{[{%]/.test(text)) return text.replace(/[^\n]+/g, (line) => (mentions(line) ? maskQuoted(line) : line))
  return replaceTextSpans(text, TAG_START, TAG_END, (tag) => (mentions(tag) || WHEN.test(tag) ? maskQuoted(tag) : tag))
}

/** The literal side of a comparison: what is no path. */
function maskOperand(operand: unknown): unknown {
  if (!isJsonObject(operand)) return maskAllLiterals(operand)
  return operand['type'] === 'literal' ? { ...operand, value: maskAllLiterals(operand['value']) } : operand
}

const isMention = (operand: unknown, mentions: Mentions): boolean =>
  isJsonObject(operand) && typeof operand['value'] === 'string' && mentions(operand['value'])

/** The members of an object that hold literals compared with such a field: of a criterion, a comparison, a switch. */
function comparedOf(value: Record<string, unknown>, ids: ReadonlySet<unknown>, mentions: Mentions): object {
  const { field, operator, left, right, cases } = value
  if (operator !== undefined && ids.has(field)) return { value: maskAllLiterals(value['value']) }
  if (operator !== undefined && (isMention(left, mentions) || isMention(right, mentions)))
    return { left: maskOperand(left), right: maskOperand(right) }
  return Array.isArray(cases) && isMention(value['value'], mentions)
    ? { cases: cases.map((one) => (isJsonObject(one) ? { ...one, value: maskAllLiterals(one['value']) } : one)) }
    : {}
}

/** Masks, in a definition, every literal that is compared with one of these fields; its shape stays. */
export function createLiteralMasker(fields: readonly IdentityField[]): (value: unknown) => unknown {
  const ids = new Set<unknown>(fields.map(({ id }) => id))
  const mentions = mentionsOf(fields)
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string') return maskCode(value, mentions)
    if (Array.isArray(value)) return value.map(mask)
    if (!isJsonObject(value)) return value
    const compared = { ...value, ...comparedOf(value, ids, mentions) }
    return Object.fromEntries(Object.entries(compared).map(([name, member]) => [name, mask(member)]))
  }
  return mask
}
