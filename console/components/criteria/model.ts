import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'

export type CriteriaField = ApiAnswer<'listFields'>[number]

/** Criteria as the interface takes them: a group with one of all, any and none, or a leaf with its type. */
export type CriteriaNode = CriteriaGroup | CriteriaLeaf
export type CriteriaGroupMode = 'all' | 'any' | 'none'
export type CriteriaGroup = Readonly<Partial<Record<CriteriaGroupMode, readonly CriteriaNode[]>>>
export interface CriteriaLeaf {
  readonly type: string
  readonly [member: string]: unknown
}

export const CRITERIA_GROUP_MODES: readonly CriteriaGroupMode[] = ['all', 'any', 'none']

export const isCriteriaLeaf = (node: CriteriaNode): node is CriteriaLeaf =>
  typeof (node as CriteriaLeaf).type === 'string'

export type ApiCriteria = NonNullable<ApiRequestBody<'previewSegment'>['criteria']>

/** Criteria as requests take them. What is unfinished in them is for the service to refuse, with its place. */
export const toApiCriteria = (criteria: object): ApiCriteria => criteria as ApiCriteria

export function findGroupMode(group: CriteriaGroup): CriteriaGroupMode {
  return CRITERIA_GROUP_MODES.find((mode) => group[mode] !== undefined) ?? 'all'
}

export const listGroupNodes = (group: CriteriaGroup): readonly CriteriaNode[] => group[findGroupMode(group)] ?? []

export const buildCriteriaGroup = (mode: CriteriaGroupMode, nodes: readonly CriteriaNode[]): CriteriaGroup => ({
  [mode]: nodes,
})

/** Converts criteria to an editable group: a single leaf becomes a group of one; empty criteria select nobody. */
export function toCriteriaGroup(criteria: unknown): CriteriaGroup {
  if (criteria === null || criteria === undefined || typeof criteria !== 'object') return buildCriteriaGroup('all', [])
  return isCriteriaLeaf(criteria as CriteriaNode)
    ? buildCriteriaGroup('all', [criteria as CriteriaLeaf])
    : (criteria as CriteriaGroup)
}

export function countLeavesWithin(node: CriteriaNode): number {
  return isCriteriaLeaf(node) ? 1 : listGroupNodes(node).reduce((sum, child) => sum + countLeavesWithin(child), 0)
}

/** Input type of the value of an operator. */
export type CriterionValueKind = 'one' | 'many' | 'range' | 'none' | 'moment' | 'moments' | 'span' | 'days'

const TEXT_OPERATORS = {
  equals: 'one',
  notEquals: 'one',
  contains: 'one',
  notContains: 'one',
  startsWith: 'one',
  endsWith: 'one',
  in: 'many',
  notIn: 'many',
  notEmpty: 'none',
  empty: 'none',
} as const
const NUMBER_OPERATORS = {
  equals: 'one',
  notEquals: 'one',
  greater: 'one',
  greaterOrEqual: 'one',
  less: 'one',
  lessOrEqual: 'one',
  between: 'range',
  in: 'many',
  notIn: 'many',
  notEmpty: 'none',
  empty: 'none',
} as const
const INSTANT_OPERATORS = {
  within: 'span',
  before: 'moment',
  after: 'moment',
  between: 'moments',
  anniversary: 'days',
} as const
const DATE_OPERATORS = {
  ...INSTANT_OPERATORS,
  equals: 'one',
  notEquals: 'one',
  in: 'many',
  notIn: 'many',
  notEmpty: 'none',
  empty: 'none',
} as const
const LABEL_OPERATORS = {
  equals: 'one',
  notEquals: 'one',
  in: 'many',
  notIn: 'many',
  notEmpty: 'none',
  empty: 'none',
} as const
const LABELS_OPERATORS = { in: 'many', notIn: 'many', notEmpty: 'none', empty: 'none' } as const

export type CriterionOperatorName =
  | keyof typeof TEXT_OPERATORS
  | keyof typeof NUMBER_OPERATORS
  | keyof typeof DATE_OPERATORS
type OperatorKinds = Readonly<Partial<Record<CriterionOperatorName, CriterionValueKind>>>

const OPERATORS_BY_TYPE: Record<CriteriaField['type'], OperatorKinds> = {
  email: TEXT_OPERATORS,
  phone: TEXT_OPERATORS,
  textField: TEXT_OPERATORS,
  textArea: TEXT_OPERATORS,
  numeric: NUMBER_OPERATORS,
  date: DATE_OPERATORS,
  singleSelectList: LABEL_OPERATORS,
  multipleSelectList: LABELS_OPERATORS,
}

/** The operators that fit, each with how its value is edited. No field: a date of the contact's own. */
export const findFieldOperators = (field: CriteriaField | undefined): OperatorKinds =>
  field ? OPERATORS_BY_TYPE[field.type] : INSTANT_OPERATORS

/** The value that an operator begins with. */
export function initialOperatorValue(kind: CriterionValueKind, before: unknown): unknown {
  if (kind === 'none') return undefined
  if (kind === 'one') return typeof before === 'string' || typeof before === 'number' ? before : ''
  if (kind === 'many') return Array.isArray(before) ? before : before === '' || before === undefined ? [] : [before]
  if (kind === 'range') return [0, 100]
  if (kind === 'moment') return { ago: { value: 30, unit: 'day' } }
  if (kind === 'moments') return [{ ago: { value: 30, unit: 'day' } }, { ago: { value: 0, unit: 'day' } }]
  return kind === 'span' ? { last: { value: 30, unit: 'day' } } : { from: 0, to: 7 }
}

/** A leaf with an operator, and a value that fits it. */
export function setLeafOperator(
  { value, ...leaf }: CriteriaLeaf,
  operator: string,
  field: CriteriaField | undefined,
): CriteriaLeaf {
  const valueKind = findFieldOperators(field)[operator as CriterionOperatorName] ?? 'none'
  const isReusable = typeof value === 'string' && ['one', 'many'].includes(valueKind)
  const nextValue = initialOperatorValue(valueKind, isReusable || Array.isArray(value) ? value : undefined)
  return { ...leaf, operator, ...(nextValue !== undefined && { value: nextValue }) }
}

/** A leaf as it begins, of what it is about: `field 101`, `event`. */
export function createCriteriaLeaf(subject: string, fields: readonly CriteriaField[]): CriteriaLeaf {
  const [type = '', id] = subject.split(' ')
  if (type === 'field') {
    const contactField = fields.find((candidate) => candidate.id === Number(id))
    return setLeafOperator(
      { type, field: Number(id) },
      Object.keys(findFieldOperators(contactField))[0] ?? 'equals',
      contactField,
    )
  }
  if (type === 'creationDate' || type === 'lastUpdateDate') return setLeafOperator({ type }, 'within', undefined)
  if (type === 'event') return { type, event: 'hits/open', period: { last: { value: 30, unit: 'day' } } }
  if (type === 'segment') return { type, segment: 0, operator: 'in' }
  return type === 'redList' ? { type, channel: 'any' } : { type }
}

export const findLeafSubject = (leaf: CriteriaLeaf): string =>
  leaf.type === 'field' ? `field ${leaf['field']}` : leaf.type
