import { type Static, Type } from 'typebox'
import { channels } from '../../../channels/facts.ts'
import { nullable } from '../../accounts/sending-settings-schemas.ts'
import { ShortReport } from '../../actions/reports/short-report-schemas.ts'

const Instant = Type.String({ format: 'date-time' })
const MaybeInstant = nullable(Instant)
const Id = Type.Union([Type.String(), Type.Integer()], { description: 'as the operations of its type have it' })
const Name = nullable(Type.String({ description: 'null: it has none' }))

const actionTypes = Object.values(channels).flatMap(({ actions }) => (actions ? Object.values(actions) : []))
const campaignTypes = Object.values(channels).flatMap(({ actions }) => (actions ? [actions.campaign] : []))

/** What runs now. */
const Running = Type.Object({
  type: Type.Enum([...actionTypes, 'notification', 'workflow', 'import', 'job']),
  id: Id,
  name: Name,
  state: Type.Enum(['testing', 'validating', 'sending', 'paused', 'running', 'queued', 'active'], {
    description: 'active: a workflow that takes contacts',
  }),
  since: MaybeInstant,
  progress: nullable(Type.Object({ done: Type.Integer(), total: nullable(Type.Integer()) })),
})
export type Running = Static<typeof Running>

/** A campaign that waits for its date. */
const Planned = Type.Object({
  type: Type.Enum([...campaignTypes, 'notification']),
  id: Id,
  name: Name,
  startDate: MaybeInstant,
})
export type Planned = Static<typeof Planned>

/** What waits for somebody's word. */
const Waiting = Type.Object({
  id: Type.String({ format: 'uuid', description: 'of the approval' }),
  type: Type.Enum(['action', 'rcs', 'notification', 'workflow']),
  object: Id,
  name: Name,
  askedBy: nullable(Type.String({ description: 'the name of who asked' })),
  date: Instant,
  comment: nullable(Type.String()),
})
/** An approval that waits, as the overview shows it. */
export type WaitingApproval = Static<typeof Waiting>

/** What failed in the last seven days. */
const Failed = Type.Object({
  type: Type.Enum([...actionTypes, 'workflow', 'import', 'job', 'webhook']),
  id: Id,
  name: Name,
  date: MaybeInstant,
  detail: Type.String({ description: 'why' }),
})
export type Failed = Static<typeof Failed>

const LastCampaign = Type.Object({
  type: Type.Enum(campaignTypes),
  id: Id,
  name: Name,
  state: Type.Integer(),
  startDate: Instant,
  report: ShortReport,
})
export type LastCampaign = Static<typeof LastCampaign>

const FailingTask = Type.Object({
  task: Type.String({ description: 'its name, as in the metrics' }),
  subject: Type.String({ description: 'which account or row of it; empty: all of it' }),
  failures: Type.Integer({ description: 'in a row' }),
  since: Instant,
  error: Type.String({ description: 'the last one' }),
})

export const Overview = Type.Object({
  running: Type.Array(Running, { description: 'at most 100 of each type' }),
  planned: Type.Array(Planned, { description: 'the next ones first, at most 20' }),
  approvals: Type.Array(Waiting, { description: 'that wait, newest first, at most 20' }),
  failed: Type.Array(Failed, { description: 'in the last seven days, newest first, at most 50' }),
  campaigns: Type.Array(LastCampaign, { description: 'the five that started last' }),
  untrustedProxy: nullable(
    Type.String({
      description: 'for operators: an untrusted address that sent X-Forwarded-For in the last hour',
    }),
  ),
  failingTasks: Type.Array(FailingTask, {
    description: 'for operators: periodic tasks and jobs of the installation that failed last, at most 100; else empty',
  }),
  date: Instant,
})
export type Overview = Static<typeof Overview>
