import type { Answer } from '../../api/shapes.ts'

export type Field = Answer<'/fields', 'get'>[number]

/** Criteria as the interface takes them: a group with one of all, any and none, or a leaf with its type. */
export type Node = Group | Leaf
export type Mode = 'all' | 'any' | 'none'
export type Group = Readonly<Partial<Record<Mode, readonly Node[]>>>
export interface Leaf {
  readonly type: string
  readonly [member: string]: unknown
}

export const MODES: readonly Mode[] = ['all', 'any', 'none']

export const isLeaf = (node: Node): node is Leaf => typeof (node as Leaf).type === 'string'

export function modeOf(group: Group): Mode {
  return MODES.find((mode) => group[mode] !== undefined) ?? 'all'
}

export const nodesOf = (group: Group): readonly Node[] => group[modeOf(group)] ?? []

export const groupOf = (mode: Mode, nodes: readonly Node[]): Group => ({ [mode]: nodes })

/** What is edited: a leaf alone is a group of one; nothing selects nobody. */
export function asGroup(criteria: unknown): Group {
  if (criteria === null || criteria === undefined || typeof criteria !== 'object') return groupOf('all', [])
  return isLeaf(criteria as Node) ? groupOf('all', [criteria as Leaf]) : (criteria as Group)
}

export function leavesOf(node: Node): number {
  return isLeaf(node) ? 1 : nodesOf(node).reduce((sum, child) => sum + leavesOf(child), 0)
}

/** How the value of an operator is edited. */
export type ValueKind = 'one' | 'many' | 'range' | 'none' | 'moment' | 'moments' | 'span' | 'days'

const TEXT = {
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
const NUMBER = {
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
const INSTANT = { within: 'span', before: 'moment', after: 'moment', between: 'moments', anniversary: 'days' } as const
const DATE = {
  ...INSTANT,
  equals: 'one',
  notEquals: 'one',
  in: 'many',
  notIn: 'many',
  notEmpty: 'none',
  empty: 'none',
} as const
const LABEL = { equals: 'one', notEquals: 'one', in: 'many', notIn: 'many', notEmpty: 'none', empty: 'none' } as const
const LABELS = { in: 'many', notIn: 'many', notEmpty: 'none', empty: 'none' } as const

export type Operator = keyof typeof TEXT | keyof typeof NUMBER | keyof typeof DATE
type Operators = Readonly<Partial<Record<Operator, ValueKind>>>

const BY_TYPE: Record<Field['type'], Operators> = {
  email: TEXT,
  phone: TEXT,
  textField: TEXT,
  textArea: TEXT,
  numeric: NUMBER,
  date: DATE,
  singleSelectList: LABEL,
  multipleSelectList: LABELS,
}

/** The operators that fit, each with how its value is edited. No field: a date of the contact's own. */
export const operatorsOf = (field: Field | undefined): Operators => (field ? BY_TYPE[field.type] : INSTANT)

/** The value that an operator begins with. */
export function firstValue(kind: ValueKind, before: unknown): unknown {
  if (kind === 'none') return undefined
  if (kind === 'one') return typeof before === 'string' || typeof before === 'number' ? before : ''
  if (kind === 'many') return Array.isArray(before) ? before : before === '' || before === undefined ? [] : [before]
  if (kind === 'range') return [0, 100]
  if (kind === 'moment') return { ago: { value: 30, unit: 'day' } }
  if (kind === 'moments') return [{ ago: { value: 30, unit: 'day' } }, { ago: { value: 0, unit: 'day' } }]
  return kind === 'span' ? { last: { value: 30, unit: 'day' } } : { from: 0, to: 7 }
}

/** A leaf with an operator, and a value that fits it. */
export function withOperator({ value, ...leaf }: Leaf, operator: string, field: Field | undefined): Leaf {
  const kind = operatorsOf(field)[operator as Operator] ?? 'none'
  const isKept = typeof value === 'string' && ['one', 'many'].includes(kind)
  const next = firstValue(kind, isKept || Array.isArray(value) ? value : undefined)
  return { ...leaf, operator, ...(next !== undefined && { value: next }) }
}

/** A leaf as it begins, of what it is about: `field 101`, `event`. */
export function firstLeaf(subject: string, fields: readonly Field[]): Leaf {
  const [type = '', id] = subject.split(' ')
  if (type === 'field') {
    const field = fields.find((one) => one.id === Number(id))
    return withOperator({ type, field: Number(id) }, Object.keys(operatorsOf(field))[0] ?? 'equals', field)
  }
  if (type === 'creationDate' || type === 'lastUpdateDate') return withOperator({ type }, 'within', undefined)
  if (type === 'event') return { type, event: 'hits/open', period: { last: { value: 30, unit: 'day' } } }
  if (type === 'segment') return { type, segment: 0, operator: 'in' }
  return type === 'redList' ? { type, channel: 'any' } : { type }
}

export const subjectOf = (leaf: Leaf): string => (leaf.type === 'field' ? `field ${leaf['field']}` : leaf.type)
