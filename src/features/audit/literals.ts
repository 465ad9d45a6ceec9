import { isObject } from '../../lib/objects.ts'
import type { IdentityField } from './identity-fields.ts'
import { MASK } from './masking.ts'

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
export function maskAll(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return MASK
  if (Array.isArray(value)) return value.map(maskAll)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskAll(member)]))
}

const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|(?<![\w.])\d{4,}(?![\w.])/g
const TAG = /\{[{%][\s\S]*?[%}]\}/g
const WHEN = /^\{%-?\s*when\b/

const maskQuoted = (text: string): string =>
  text.replace(QUOTED, (literal) => (/^\d/.test(literal) ? MASK : `"${MASK}"`))

/** Literals of a template or script that stand beside such a member: in the same tag, or on the same line. */
function maskCode(text: string, mentions: Mentions): string {
  if (!mentions(text)) return text
  if (!/\{[{%]/.test(text)) return text.replace(/[^\n]+/g, (line) => (mentions(line) ? maskQuoted(line) : line))
  return text.replace(TAG, (tag) => (mentions(tag) || WHEN.test(tag) ? maskQuoted(tag) : tag))
}

/** The literal side of a comparison: what is no path. */
function maskOperand(operand: unknown): unknown {
  if (!isObject(operand)) return maskAll(operand)
  return operand['type'] === 'literal' ? { ...operand, value: maskAll(operand['value']) } : operand
}

const isMention = (operand: unknown, mentions: Mentions): boolean =>
  isObject(operand) && typeof operand['value'] === 'string' && mentions(operand['value'])

/** The members of an object that hold literals compared with such a field: of a criterion, a comparison, a switch. */
function comparedOf(value: Record<string, unknown>, ids: ReadonlySet<unknown>, mentions: Mentions): object {
  const { field, operator, left, right, cases } = value
  if (operator !== undefined && ids.has(field)) return { value: maskAll(value['value']) }
  if (operator !== undefined && (isMention(left, mentions) || isMention(right, mentions)))
    return { left: maskOperand(left), right: maskOperand(right) }
  return Array.isArray(cases) && isMention(value['value'], mentions)
    ? { cases: cases.map((one) => (isObject(one) ? { ...one, value: maskAll(one['value']) } : one)) }
    : {}
}

/** Masks, in a definition, every literal that is compared with one of these fields; its shape stays. */
export function literalMasker(fields: readonly IdentityField[]): (value: unknown) => unknown {
  const ids = new Set<unknown>(fields.map(({ id }) => id))
  const mentions = mentionsOf(fields)
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string') return maskCode(value, mentions)
    if (Array.isArray(value)) return value.map(mask)
    if (!isObject(value)) return value
    const compared = { ...value, ...comparedOf(value, ids, mentions) }
    return Object.fromEntries(Object.entries(compared).map(([name, member]) => [name, mask(member)]))
  }
  return mask
}
