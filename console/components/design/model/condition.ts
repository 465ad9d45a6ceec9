/** A condition of a row that is said in words: about one field of the contact. */
export interface RowFieldCondition {
  field: string
  test: 'is' | 'isNot' | 'some' | 'none'
  /** What it is compared with; empty where nothing is. */
  value: string
}

export const ROW_CONDITION_TESTS = ['is', 'isNot', 'some', 'none'] as const

const NAMED = String.raw`contact(?:\.([\p{L}_][\p{L}\p{N}_]*)|\["([^"]+)"\])`
const COMPARED = new RegExp(`^${NAMED} (==|!=) (?:"([^"]*)"|'([^']*)')$`, 'u')
const EMPTY = new RegExp(`^${NAMED} (==|!=) blank$`, 'u')
const IS_WORD = /^[\p{L}_][\p{L}\p{N}_]*$/u

/** A field of contacts in Liquid: `contact.City`, `contact["First name"]`. */
export const formatFieldLiquid = (field: string): string =>
  IS_WORD.test(field) ? `contact.${field}` : `contact["${field}"]`

/** What a condition says of a field; undefined: it says something else. */
export function parseRowCondition(liquid: string): RowFieldCondition | undefined {
  const empty = EMPTY.exec(liquid)
  if (empty) return { field: (empty[1] ?? empty[2])!, test: empty[3] === '==' ? 'none' : 'some', value: '' }
  const found = COMPARED.exec(liquid)
  if (!found) return undefined
  return { field: (found[1] ?? found[2])!, test: found[3] === '==' ? 'is' : 'isNot', value: found[4] ?? found[5] ?? '' }
}

/** A condition as Liquid. Liquid escapes nothing: of a value with both quotes, the double ones become single. */
export function formatConditionLiquid({ field, test, value }: RowFieldCondition): string {
  const named = formatFieldLiquid(field)
  if (test === 'some' || test === 'none') return `${named} ${test === 'some' ? '!=' : '=='} blank`
  const text = /[{}%]/.test(value) ? value.replace(/[{}%]/g, '') : value
  const quoted = text.includes('"') && !text.includes("'") ? `'${text}'` : `"${text.replaceAll('"', "'")}"`
  return `${named} ${test === 'is' ? '==' : '!='} ${quoted}`
}
