import type { Expression } from '../../../components/expression/expression.ts'
import type { Step } from '../compilable-kind.ts'

export type { Expression } from '../../../components/expression/expression.ts'

export const pathTo = (value: string): Expression => ({ type: 'path', value })
export const literal = (value: unknown): Expression => ({ type: 'literal', value })

/** What a condition begins with: one comparison. */
export const firstCompare = () => ({
  ...{ type: 'compare', left: pathTo('row.id'), operator: 'equals' },
  right: literal(''),
})

/** What a step of each kind begins with. */
export const STEPS = {
  filter: { type: 'filter', condition: { all: [firstCompare()] } },
  map: { type: 'map', fields: { id: pathTo('row.id') }, keep: false },
  sort: { type: 'sort', by: [{ value: pathTo('row.id'), direction: 'asc', nulls: 'last' }] },
  distinct: { type: 'distinct', by: [pathTo('row.id')] },
  limit: { type: 'limit', count: 10, offset: 0 },
  group: { type: 'group', by: {}, aggregates: { count: { function: 'count' } } },
  join: {
    ...{ type: 'join', source: { type: 'targets' }, kind: 'left', into: 'other', many: false },
    on: { left: pathTo('row.id'), right: pathTo('other.id') },
  },
  expand: { type: 'expand', value: pathTo('row.items'), into: 'item' },
  script: { type: 'script', value: 'export default (rows, context) => rows\n' },
} as const satisfies Readonly<Record<string, Step>>
export type StepKind = keyof typeof STEPS

/** What a source of each kind begins with. */
export const SOURCES = {
  targets: { type: 'targets' },
  segment: { type: 'segment', segment: null },
  events: { type: 'events', types: ['action.hit'] },
  valueList: { type: 'valueList', id: null },
  inline: { type: 'inline', rows: [{ name: 'Ann' }] },
  compilable: { type: 'compilable', id: null, arguments: {} },
} as const satisfies Readonly<Record<string, Step>>
export type SourceKind = keyof typeof SOURCES

/** Types of events that a source lists, by where they come from. */
export const EVENT_TYPES: Readonly<Record<string, readonly string[]>> = {
  action: ['execution', 'activation', 'cancellation', 'complaint', 'delivery', 'stop', 'bounce', 'reply', 'hit'],
  rcs: ['execution', 'activation', 'cancellation', 'bounce', 'delivery', 'reply', 'interaction'],
  notification: ['execution', 'activation', 'cancellation', 'bounce', 'impression', 'optout', 'hit'],
  display: ['activation', 'hit'],
  target: ['created', 'deleted', 'updated', 'bounced', 'redlisted'],
  segment: ['entered', 'left'],
  subscription: ['created', 'deleted'],
  import: ['completed'],
}

export const AGGREGATES = [
  ...(['count', 'countDistinct', 'sum', 'avg', 'min', 'max', 'first', 'last', 'list'] as const),
] as const

export const UNITS = ['MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const
