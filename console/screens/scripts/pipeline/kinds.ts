import type { ApiExpression } from '../../../components/expression/expression.ts'
import type { PipelineStepForm } from '../compilable-kind.ts'

export type { ApiExpression } from '../../../components/expression/expression.ts'

export const pathExpression = (value: string): ApiExpression => ({ type: 'path', value })
export const literalExpression = (value: unknown): ApiExpression => ({ type: 'literal', value })

/** Initial condition: one comparison. */
export const createComparison = () => ({
  type: 'compare',
  left: pathExpression('row.id'),
  operator: 'equals',
  right: literalExpression(''),
})

/** Initial step of each kind. */
export const BLANK_PIPELINE_STEPS = {
  filter: { type: 'filter', condition: { all: [createComparison()] } },
  map: { type: 'map', fields: { id: pathExpression('row.id') }, keep: false },
  sort: { type: 'sort', by: [{ value: pathExpression('row.id'), direction: 'asc', nulls: 'last' }] },
  distinct: { type: 'distinct', by: [pathExpression('row.id')] },
  limit: { type: 'limit', count: 10, offset: 0 },
  group: { type: 'group', by: {}, aggregates: { count: { function: 'count' } } },
  join: {
    type: 'join',
    source: { type: 'targets' },
    kind: 'left',
    into: 'other',
    many: false,
    on: { left: pathExpression('row.id'), right: pathExpression('other.id') },
  },
  expand: { type: 'expand', value: pathExpression('row.items'), into: 'item' },
  script: { type: 'script', value: 'export default (rows, context) => rows\n' },
} as const satisfies Readonly<Record<string, PipelineStepForm>>
export type PipelineStepKind = keyof typeof BLANK_PIPELINE_STEPS

/** Initial source of each kind. */
export const BLANK_PIPELINE_SOURCES = {
  targets: { type: 'targets' },
  segment: { type: 'segment', segment: null },
  events: { type: 'events', types: ['action.hit'] },
  valueList: { type: 'valueList', id: null },
  inline: { type: 'inline', rows: [{ name: 'Ann' }] },
  compilable: { type: 'compilable', id: null, arguments: {} },
} as const satisfies Readonly<Record<string, PipelineStepForm>>
export type PipelineSourceKind = keyof typeof BLANK_PIPELINE_SOURCES

/** Types of events that a source lists, by where they come from. */
export const SOURCE_EVENT_TYPES: Readonly<Record<string, readonly string[]>> = {
  action: ['execution', 'activation', 'cancellation', 'complaint', 'delivery', 'stop', 'bounce', 'reply', 'hit'],
  rcs: ['execution', 'activation', 'cancellation', 'bounce', 'delivery', 'reply', 'interaction'],
  notification: ['execution', 'activation', 'cancellation', 'bounce', 'impression', 'optout', 'hit'],
  display: ['activation', 'hit'],
  target: ['created', 'deleted', 'updated', 'bounced', 'redlisted'],
  segment: ['entered', 'left'],
  subscription: ['created', 'deleted'],
  import: ['completed'],
}

export const PIPELINE_AGGREGATES = [
  'count',
  'countDistinct',
  'sum',
  'avg',
  'min',
  'max',
  'first',
  'last',
  'list',
] as const

export const PIPELINE_PERIOD_UNITS = ['MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const
