import { type Static, Type } from 'typebox'
import { PageQuery } from '../../../http/resource/list.ts'
import { nullable } from '../../accounts/sending-settings-schemas.ts'
import { Footprint } from '../../contacts/records/identification-schemas.ts'

const Instant = Type.String({ format: 'date-time' })
const Uuid = Type.String({ format: 'uuid' })
const Json = Type.Object({}, { additionalProperties: true })

/** What runs show; those that are open are `paused` while their workflow is inactive. */
export const runStatuses = [
  'running',
  'waiting',
  'paused',
  'completed',
  'failed',
  'killed',
  'expired',
  'capped',
] as const
export type RunStatus = (typeof runStatuses)[number]

/** One node in a trace, as it is answered. */
export const TraceEntry = Type.Object({
  seq: Type.Integer({ description: 'the how many-th node of the run' }),
  node: Type.String(),
  type: Type.String(),
  visit: Type.Integer(),
  attempt: Type.Integer(),
  enter: { ...Instant, description: 'when the node was entered, in UTC' },
  leave: { ...Instant, description: 'when the node was left, in UTC' },
  outcome: Type.String(),
  next: nullable(Type.String()),
  detail: nullable(Json),
})
export type TraceEntry = Static<typeof TraceEntry>

/** A run as a list shows it. */
export const ListedRun = Type.Object({
  id: Uuid,
  workflow: Type.Integer(),
  version: Type.Integer(),
  contact: nullable(Footprint),
  status: Type.Enum([...runStatuses]),
  reason: nullable(Type.String()),
  outcome: nullable(Type.String()),
  node: Type.String(),
  start: Type.Object(
    { type: Type.Enum(['execution', 'listener', 'task']), id: nullable(Type.String()) },
    { description: 'what started it' },
  ),
  depth: Type.Integer({ description: 'how many workflows it follows from' }),
  stamp: Type.Object({ time: Type.Integer(), id: Uuid, thread: Uuid, set: Uuid }),
  wake: nullable({ ...Instant, description: 'when it goes on by itself, in UTC; null: no time is set' }),
  steps: Type.Integer({ description: 'visits of nodes' }),
  creationDate: Instant,
  updateDate: Instant,
  endDate: nullable(Instant),
})
export type ListedRun = Static<typeof ListedRun>

export const Run = Type.Object({
  ...ListedRun.properties,
  data: Json,
  state: { ...Json, description: 'values that templates and scripts read as `state`' },
  variables: Json,
  trace: Type.Array(TraceEntry),
})
export type Run = Static<typeof Run>

export const RunParams = Type.Object({ id: Type.String(), run: Type.String() })

const sort = Type.Optional(Type.Enum(['asc', 'desc'], { description: 'by date; ascending by default' }))
const period = {
  start: Type.Optional(Type.String({ description: 'an ISO 8601 date, or milliseconds; inclusive' })),
  end: Type.Optional(Type.String({ description: 'exclusive' })),
}

export const RunQuery = Type.Object({
  ...PageQuery.properties,
  contact: Type.Optional(Type.String({ description: 'id of a contact' })),
  unicity: Type.Optional(Type.String()),
  hash: Type.Optional(Type.String()),
  status: Type.Optional(Type.String({ description: `separated by commas, of ${runStatuses.join(', ')}` })),
  node: Type.Optional(Type.String({ description: 'where it stands, or ended' })),
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 0x7fffffff })),
  ...period,
  sort,
})
export type RunQuery = Static<typeof RunQuery>

export const PublishedQuery = Type.Object({ ...PageQuery.properties, ...period, sort })

/** A custom event that a run has published. */
export const Published = Type.Object({
  type: Type.Literal('custom'),
  name: Type.String(),
  id: Uuid,
  timestamp: Type.Integer({ description: 'milliseconds since 1970' }),
  contact: nullable(Type.String()),
  data: { ...Json, description: 'what the event carries' },
  stamp: nullable(Json),
  depth: Type.Integer(),
})
export type Published = Static<typeof Published>

const n = Type.Integer()
const counts = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, n]))

export const StatisticsQuery = Type.Object({
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 0x7fffffff })),
  ...period,
})

/** What was counted of a workflow. */
export const Statistics = Type.Object({
  workflow: n,
  version: nullable(Type.Integer({ description: 'null: all of them' })),
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
      type: nullable(Type.String({ description: 'null: no version that is kept has it' })),
      ...{ entered: n, left: n, current: n, failed: n, retried: n, capped: n },
      outputs: Type.Record(Type.String(), n, {
        description: 'by the node where they lead to; "" of those that end the run',
      }),
    }),
  ),
  listeners: Type.Array(Type.Object({ id: Type.String(), ...counts('matched', 'started', 'moved', 'refused') })),
  tasks: Type.Array(Type.Object({ id: Type.String(), ...counts('fired', 'missed', 'skipped', 'rows', 'started') })),
})
export type Statistics = Static<typeof Statistics>
