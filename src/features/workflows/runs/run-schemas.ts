import { type Static, Type } from 'typebox'
import { ListPageQuery } from '../../../http/resource/list.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { Footprint } from '../../contacts/records/identification-schemas.ts'

const InstantSchema = Type.String({ format: 'date-time' })
const UuidSchema = Type.String({ format: 'uuid' })
const JsonObjectSchema = Type.Object({}, { additionalProperties: true })

/** Statuses that runs show. Open runs are `paused` while their workflow is inactive. */
export const workflowRunStatuses = [
  'running',
  'waiting',
  'paused',
  'completed',
  'failed',
  'killed',
  'expired',
  'capped',
] as const
export type WorkflowRunStatus = (typeof workflowRunStatuses)[number]

/** One node in a trace, as it is answered. */
export const WorkflowTraceEntry = Type.Object({
  seq: Type.Integer({ description: 'the how many-th node of the run' }),
  node: Type.String(),
  type: Type.String(),
  visit: Type.Integer(),
  attempt: Type.Integer(),
  enter: { ...InstantSchema, description: 'when the node was entered, in UTC' },
  leave: { ...InstantSchema, description: 'when the node was left, in UTC' },
  outcome: Type.String(),
  next: nullableSchema(Type.String()),
  detail: nullableSchema(JsonObjectSchema),
})
export type WorkflowTraceEntry = Static<typeof WorkflowTraceEntry>

/** A run as a list shows it. */
export const ListedWorkflowRun = Type.Object({
  id: UuidSchema,
  workflow: Type.Integer(),
  version: Type.Integer(),
  contact: nullableSchema(Footprint),
  status: Type.Enum([...workflowRunStatuses]),
  reason: nullableSchema(Type.String()),
  outcome: nullableSchema(Type.String()),
  node: Type.String(),
  start: Type.Object(
    { type: Type.Enum(['execution', 'listener', 'task']), id: nullableSchema(Type.String()) },
    { description: 'what started it' },
  ),
  depth: Type.Integer({ description: 'how many workflows it follows from' }),
  stamp: Type.Object({ time: Type.Integer(), id: UuidSchema, thread: UuidSchema, set: UuidSchema }),
  wake: nullableSchema({ ...InstantSchema, description: 'when it goes on by itself, in UTC; null: no time is set' }),
  steps: Type.Integer({ description: 'visits of nodes' }),
  creationDate: InstantSchema,
  updateDate: InstantSchema,
  endDate: nullableSchema(InstantSchema),
})
export type ListedWorkflowRun = Static<typeof ListedWorkflowRun>

export const WorkflowRun = Type.Object({
  ...ListedWorkflowRun.properties,
  data: JsonObjectSchema,
  state: { ...JsonObjectSchema, description: 'values that templates and scripts read as `state`' },
  variables: JsonObjectSchema,
  trace: Type.Array(WorkflowTraceEntry),
})
export type WorkflowRun = Static<typeof WorkflowRun>

export const WorkflowRunParams = Type.Object({ id: Type.String(), run: Type.String() })

const sortParameter = Type.Optional(Type.Enum(['asc', 'desc'], { description: 'by date; ascending by default' }))
const periodParameters = {
  start: Type.Optional(Type.String({ description: 'an ISO 8601 date, or milliseconds; inclusive' })),
  end: Type.Optional(Type.String({ description: 'exclusive' })),
}

export const WorkflowRunQuery = Type.Object({
  ...ListPageQuery.properties,
  contact: Type.Optional(Type.String({ description: 'id of a contact' })),
  unicity: Type.Optional(Type.String()),
  hash: Type.Optional(Type.String()),
  status: Type.Optional(Type.String({ description: `separated by commas, of ${workflowRunStatuses.join(', ')}` })),
  node: Type.Optional(Type.String({ description: 'where it stands, or ended' })),
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 0x7fffffff })),
  ...periodParameters,
  sort: sortParameter,
})
export type WorkflowRunQuery = Static<typeof WorkflowRunQuery>

export const PublishedEventQuery = Type.Object({
  ...ListPageQuery.properties,
  ...periodParameters,
  sort: sortParameter,
})

/** A custom event that a run has published. */
export const PublishedRunEvent = Type.Object({
  type: Type.Literal('custom'),
  name: Type.String(),
  id: UuidSchema,
  timestamp: Type.Integer({ description: 'milliseconds since 1970' }),
  contact: nullableSchema(Type.String()),
  data: { ...JsonObjectSchema, description: 'what the event carries' },
  stamp: nullableSchema(JsonObjectSchema),
  depth: Type.Integer(),
})
export type PublishedRunEvent = Static<typeof PublishedRunEvent>

const IntegerSchema = Type.Integer()
const createCountMembers = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, IntegerSchema]))

export const WorkflowStatisticsQuery = Type.Object({
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 0x7fffffff })),
  ...periodParameters,
})

/** Counts of a workflow. */
export const WorkflowStatistics = Type.Object({
  workflow: IntegerSchema,
  version: nullableSchema(Type.Integer({ description: 'null: all of them' })),
  runs: Type.Object({
    started: IntegerSchema,
    open: IntegerSchema,
    running: IntegerSchema,
    waiting: IntegerSchema,
    paused: IntegerSchema,
    ...{
      completed: IntegerSchema,
      failed: IntegerSchema,
      killed: IntegerSchema,
      expired: IntegerSchema,
      capped: IntegerSchema,
    },
  }),
  refused: Type.Record(Type.String(), IntegerSchema, { description: 'starts that were refused, by reason' }),
  nodes: Type.Array(
    Type.Object({
      id: Type.String(),
      type: nullableSchema(Type.String({ description: 'null: no version that is kept has it' })),
      ...{
        entered: IntegerSchema,
        left: IntegerSchema,
        current: IntegerSchema,
        failed: IntegerSchema,
        retried: IntegerSchema,
        capped: IntegerSchema,
      },
      outputs: Type.Record(Type.String(), IntegerSchema, {
        description: 'by the node where they lead to; "" of those that end the run',
      }),
    }),
  ),
  listeners: Type.Array(
    Type.Object({ id: Type.String(), ...createCountMembers('matched', 'started', 'moved', 'refused') }),
  ),
  tasks: Type.Array(
    Type.Object({ id: Type.String(), ...createCountMembers('fired', 'missed', 'skipped', 'rows', 'started') }),
  ),
})
export type WorkflowStatistics = Static<typeof WorkflowStatistics>
