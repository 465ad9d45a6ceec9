import { isJsonObject } from '../../lib/objects.ts'
import { replaceTextSpans } from '../../lib/text/spans-of-text.ts'
import type { IdentityField } from './identity-fields.ts'
import { AUDIT_MASK } from './masking.ts'

/** Returns true if a text names data that identifies a contact: an address, a number, the unicity or its hash. */
type MentionTest = (text: string) => boolean

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** `contact.fields.12`, `row["Email"]`, `contact.unicity`: members by id and by name. */
function createMentionTest(fields: readonly IdentityField[]): MentionTest {
  const namePattern = ['unicity', 'hash', ...fields.flatMap(({ id, name }) => [String(id), name])]
    .map(escapeRegExp)
    .join('|')
  const memberPattern = new RegExp(`(?:\\.|\\[\\s*["'\`]?)(?:${namePattern})(?![\\p{L}\\p{N}_])`, 'iu')
  return (text) => memberPattern.test(text)
}

/** Every text and number in a value; how it is made up stays to be seen. */
export function maskAllLiterals(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return AUDIT_MASK
  if (Array.isArray(value)) return value.map(maskAllLiterals)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskAllLiterals(member)]))
}

const QUOTE_OR_NUMBER_PATTERN = /["'`]|(?<![\w.])\d{4,}(?![\w.])/g
const [TAG_START, TAG_END] = [/\{[{%]/g, /[%}]\}/g]
const WHEN_TAG = /^\{%-?\s*when\b/

/** Finds the end of the literal whose quote is at `start`: behind its closing quote, or the place where it breaks off without one. */
function findLiteralEnd(text: string, start: number): { end: number; isClosed: boolean } {
  const quote = text[start]
  for (let position = start + 1; position < text.length; position++) {
    if (text[position] === quote) return { end: position + 1, isClosed: true }
    const isEscape = text[position] === '\\'
    if (isEscape) position++
    if (text[position] === '\n' && (isEscape || quote !== '`')) return { end: position, isClosed: false }
  }
  return { end: text.length, isClosed: false }
}

/** Masks literals of texts and long numbers; walks the text once, however many quotes it leaves open. */
function maskQuotedText(text: string): string {
  let maskedText = ''
  let maskedEnd = 0
  // No quote of a kind closes before where one of that kind broke off.
  const openUntil = new Map<string, number>()
  for (const { 0: quoteOrNumber, index } of text.matchAll(QUOTE_OR_NUMBER_PATTERN)) {
    if (index < maskedEnd || index < (openUntil.get(quoteOrNumber) ?? 0)) continue
    const isNumber = quoteOrNumber.length > 1
    const literal = isNumber ? { end: index + quoteOrNumber.length, isClosed: true } : findLiteralEnd(text, index)
    if (!literal.isClosed) {
      openUntil.set(quoteOrNumber, literal.end)
      continue
    }
    maskedText += `${text.slice(maskedEnd, index)}${isNumber ? AUDIT_MASK : `"${AUDIT_MASK}"`}`
    maskedEnd = literal.end
  }
  return maskedText + text.slice(maskedEnd)
}

/** Masks literals of a template or script near such a member: in the same tag, or on the same line. */
function maskMentioningCode(text: string, mentions: MentionTest): string {
  if (!mentions(text)) return text
  if (!/\{[{%]/.test(text)) return text.replace(/[^\n]+/g, (line) => (mentions(line) ? maskQuotedText(line) : line))
  return replaceTextSpans(text, TAG_START, TAG_END, (tag) =>
    mentions(tag) || WHEN_TAG.test(tag) ? maskQuotedText(tag) : tag,
  )
}

/** The literal side of a comparison: what is no path. */
function maskOperand(operand: unknown): unknown {
  if (!isJsonObject(operand)) return maskAllLiterals(operand)
  return operand['type'] === 'literal' ? { ...operand, value: maskAllLiterals(operand['value']) } : operand
}

const isMentionOperand = (operand: unknown, mentions: MentionTest): boolean =>
  isJsonObject(operand) && typeof operand['value'] === 'string' && mentions(operand['value'])

/** The members of an object that hold literals compared with such a field: of a criterion, a comparison, a switch. */
function maskComparedMembers(
  value: Record<string, unknown>,
  fieldIds: ReadonlySet<unknown>,
  mentions: MentionTest,
): object {
  const { field, operator, left: leftOperand, right: rightOperand, cases: switchCases } = value
  if (operator !== undefined && fieldIds.has(field)) return { value: maskAllLiterals(value['value']) }
  if (operator !== undefined && (isMentionOperand(leftOperand, mentions) || isMentionOperand(rightOperand, mentions)))
    return { left: maskOperand(leftOperand), right: maskOperand(rightOperand) }
  return Array.isArray(switchCases) && isMentionOperand(value['value'], mentions)
    ? {
        cases: switchCases.map((switchCase) =>
          isJsonObject(switchCase) ? { ...switchCase, value: maskAllLiterals(switchCase['value']) } : switchCase,
        ),
      }
    : {}
}

/** Masks, in a definition, every literal that is compared with one of these fields; its shape stays. */
export function createLiteralMasker(fields: readonly IdentityField[]): (value: unknown) => unknown {
  const fieldIds = new Set<unknown>(fields.map(({ id }) => id))
  const mentions = createMentionTest(fields)
  const maskValue = (value: unknown): unknown => {
    if (typeof value === 'string') return maskMentioningCode(value, mentions)
    if (Array.isArray(value)) return value.map(maskValue)
    if (!isJsonObject(value)) return value
    const maskedMembers = { ...value, ...maskComparedMembers(value, fieldIds, mentions) }
    return Object.fromEntries(Object.entries(maskedMembers).map(([name, member]) => [name, maskValue(member)]))
  }
  return maskValue
}
