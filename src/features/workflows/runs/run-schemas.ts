import { type Static, Type } from 'typebox'
import { ListPageQuery } from '../../../http/resource/list.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { Footprint } from '../../contacts/records/identification-schemas.ts'

const Instant = Type.String({ format: 'date-time' })
const Uuid = Type.String({ format: 'uuid' })
const Json = Type.Object({}, { additionalProperties: true })

/** What runs show; those that are open are `paused` while their workflow is inactive. */
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
  enter: { ...Instant, description: 'when the node was entered, in UTC' },
  leave: { ...Instant, description: 'when the node was left, in UTC' },
  outcome: Type.String(),
  next: nullableSchema(Type.String()),
  detail: nullableSchema(Json),
})
export type WorkflowTraceEntry = Static<typeof WorkflowTraceEntry>

/** A run as a list shows it. */
export const ListedWorkflowRun = Type.Object({
  id: Uuid,
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
  stamp: Type.Object({ time: Type.Integer(), id: Uuid, thread: Uuid, set: Uuid }),
  wake: nullableSchema({ ...Instant, description: 'when it goes on by itself, in UTC; null: no time is set' }),
  steps: Type.Integer({ description: 'visits of nodes' }),
  creationDate: Instant,
  updateDate: Instant,
  endDate: nullableSchema(Instant),
})
export type ListedWorkflowRun = Static<typeof ListedWorkflowRun>

export const WorkflowRun = Type.Object({
  ...ListedWorkflowRun.properties,
  data: Json,
  state: { ...Json, description: 'values that templates and scripts read as `state`' },
  variables: Json,
  trace: Type.Array(WorkflowTraceEntry),
})
export type WorkflowRun = Static<typeof WorkflowRun>

export const WorkflowRunParams = Type.Object({ id: Type.String(), run: Type.String() })

const sort = Type.Optional(Type.Enum(['asc', 'desc'], { description: 'by date; ascending by default' }))
const period = {
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
  ...period,
  sort,
})
export type WorkflowRunQuery = Static<typeof WorkflowRunQuery>

export const PublishedEventQuery = Type.Object({ ...ListPageQuery.properties, ...period, sort })

/** A custom event that a run has published. */
export const PublishedRunEvent = Type.Object({
  type: Type.Literal('custom'),
  name: Type.String(),
  id: Uuid,
  timestamp: Type.Integer({ description: 'milliseconds since 1970' }),
  contact: nullableSchema(Type.String()),
  data: { ...Json, description: 'what the event carries' },
  stamp: nullableSchema(Json),
  depth: Type.Integer(),
})
export type PublishedRunEvent = Static<typeof PublishedRunEvent>

const n = Type.Integer()
const counts = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, n]))

export const WorkflowStatisticsQuery = Type.Object({
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 0x7fffffff })),
  ...period,
})

/** What was counted of a workflow. */
export const WorkflowStatistics = Type.Object({
  workflow: n,
  version: nullableSchema(Type.Integer({ description: 'null: all of them' })),
  runs: Type.Object({
    started: n,
    open: n,
    running: n,
    waiting: n,
    paused: n,
    ...{ completed: n, failed: n, killed: n, expired: n, capped: n },
  }),
  refused: Type.Record(Type.String(), n, { description: 'starts that were refused, by reason' }),
  nodes: Type.Array(
    Type.Object({
      id: Type.String(),
      type: nullableSchema(Type.String({ description: 'null: no version that is kept has it' })),
      ...{ entered: n, left: n, current: n, failed: n, retried: n, capped: n },
      outputs: Type.Record(Type.String(), n, {
        description: 'by the node where they lead to; "" of those that end the run',
      }),
    }),
  ),
  listeners: Type.Array(Type.Object({ id: Type.String(), ...counts('matched', 'started', 'moved', 'refused') })),
  tasks: Type.Array(Type.Object({ id: Type.String(), ...counts('fired', 'missed', 'skipped', 'rows', 'started') })),
})
export type WorkflowStatistics = Static<typeof WorkflowStatistics>
