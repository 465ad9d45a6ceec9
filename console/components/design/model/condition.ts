import { formatFieldReference } from '../../expression/field-template.ts'

/** A condition of a row that is said in words: about one field of the contact. */
export interface RowFieldCondition {
  field: string
  test: 'is' | 'isNot' | 'some' | 'none'
  /** Compared value; empty for tests without a value. */
  value: string
}

export const ROW_CONDITION_TESTS = ['is', 'isNot', 'some', 'none'] as const

const FIELD_REFERENCE = String.raw`contact(?:\.([\p{L}_][\p{L}\p{N}_]*)|\["([^"]+)"\])`
const COMPARISON = new RegExp(`^${FIELD_REFERENCE} (==|!=) (?:"([^"]*)"|'([^']*)')$`, 'u')
const BLANK_COMPARISON = new RegExp(`^${FIELD_REFERENCE} (==|!=) blank$`, 'u')

/** Parses a condition on one field. Returns `undefined` for any other Liquid. */
export function parseRowCondition(liquid: string): RowFieldCondition | undefined {
  const blankMatch = BLANK_COMPARISON.exec(liquid)
  if (blankMatch)
    return { field: (blankMatch[1] ?? blankMatch[2])!, test: blankMatch[3] === '==' ? 'none' : 'some', value: '' }
  const comparisonMatch = COMPARISON.exec(liquid)
  if (!comparisonMatch) return undefined
  return {
    field: (comparisonMatch[1] ?? comparisonMatch[2])!,
    test: comparisonMatch[3] === '==' ? 'is' : 'isNot',
    value: comparisonMatch[4] ?? comparisonMatch[5] ?? '',
  }
}

/** A condition as Liquid. Liquid escapes nothing: of a value with both quotes, the double ones become single. */
export function formatConditionLiquid({ field, test, value }: RowFieldCondition): string {
  const fieldReference = formatFieldReference(field)
  if (test === 'some' || test === 'none') return `${fieldReference} ${test === 'some' ? '!=' : '=='} blank`
  const text = /[{}%]/.test(value) ? value.replace(/[{}%]/g, '') : value
  const quotedText = text.includes('"') && !text.includes("'") ? `'${text}'` : `"${text.replaceAll('"', "'")}"`
  return `${fieldReference} ${test === 'is' ? '==' : '!='} ${quotedText}`
}
