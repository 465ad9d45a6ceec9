import { type Static, Type } from 'typebox'
import { channelTraits } from '../../../channels/channel-traits.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { ShortReport } from '../../actions/reports/short-report-schemas.ts'

const Instant = Type.String({ format: 'date-time' })
const NullableInstant = nullableSchema(Instant)
const ObjectId = Type.Union([Type.String(), Type.Integer()], { description: 'as the operations of its type have it' })
const NullableName = nullableSchema(Type.String({ description: 'null: it has none' }))

const actionTypes = Object.values(channelTraits).flatMap(({ actions }) => (actions ? Object.values(actions) : []))
const campaignTypes = Object.values(channelTraits).flatMap(({ actions }) => (actions ? [actions.campaign] : []))

/** A run in progress. */
const RunningOverviewEntry = Type.Object({
  type: Type.Enum([...actionTypes, 'notification', 'workflow', 'import', 'job'], {
    description: 'which of the possible kinds it is',
  }),
  id: ObjectId,
  name: NullableName,
  state: Type.Enum(['testing', 'validating', 'sending', 'paused', 'running', 'queued', 'active'], {
    description: 'active: a workflow that takes contacts',
  }),
  since: { ...NullableInstant, description: 'from when on, in UTC' },
  progress: nullableSchema(
    Type.Object(
      {
        done: Type.Integer({ description: 'how much is done' }),
        total: nullableSchema(Type.Integer({ description: 'how many there are in all' })),
      },
      { description: 'how far it is' },
    ),
  ),
})
export type RunningOverviewEntry = Static<typeof RunningOverviewEntry>

/** A campaign that waits for its date. */
const PlannedOverviewEntry = Type.Object({
  type: Type.Enum([...campaignTypes, 'notification'], { description: 'which of the possible kinds it is' }),
  id: ObjectId,
  name: NullableName,
  startDate: { ...NullableInstant, description: 'when it begins or began, in UTC' },
})
export type PlannedOverviewEntry = Static<typeof PlannedOverviewEntry>

/** A request that waits for approval. */
const WaitingApproval = Type.Object({
  id: Type.String({ format: 'uuid', description: 'of the approval' }),
  type: Type.Enum(['action', 'rcs', 'notification', 'workflow'], { description: 'which of the possible kinds it is' }),
  object: ObjectId,
  name: NullableName,
  askedBy: nullableSchema(Type.String({ description: 'the name of who asked' })),
  date: { ...Instant, description: 'when it happened, in UTC' },
  comment: nullableSchema(Type.String({ description: 'words of its author for other people' })),
})
/** An approval that waits, as the overview shows it. */
export type PendingApprovalEntry = Static<typeof WaitingApproval>

/** A failure of the last seven days. */
const FailedOverviewEntry = Type.Object({
  type: Type.Enum([...actionTypes, 'workflow', 'import', 'job', 'webhook'], {
    description: 'which of the possible kinds it is',
  }),
  id: ObjectId,
  name: NullableName,
  date: { ...NullableInstant, description: 'when it happened, in UTC' },
  detail: Type.String({ description: 'why' }),
})
export type FailedOverviewEntry = Static<typeof FailedOverviewEntry>

const LastCampaignEntry = Type.Object({
  type: Type.Enum(campaignTypes, { description: 'which of the possible kinds it is' }),
  id: ObjectId,
  name: NullableName,
  state: Type.Integer({ description: 'where it stands on its way' }),
  startDate: { ...Instant, description: 'when it begins or began, in UTC' },
  report: ShortReport,
})
export type LastCampaignEntry = Static<typeof LastCampaignEntry>

const FailingTask = Type.Object({
  task: Type.String({ description: 'its name, as in the metrics' }),
  subject: Type.String({ description: 'which account or row of it; empty: all of it' }),
  failures: Type.Integer({ description: 'in a row' }),
  since: { ...Instant, description: 'from when on, in UTC' },
  error: Type.String({ description: 'the last one' }),
})

export const OverviewResource = Type.Object({
  running: Type.Array(RunningOverviewEntry, { description: 'at most 100 of each type' }),
  planned: Type.Array(PlannedOverviewEntry, { description: 'the next ones first, at most 20' }),
  approvals: Type.Array(WaitingApproval, { description: 'that wait, newest first, at most 20' }),
  failed: Type.Array(FailedOverviewEntry, { description: 'in the last seven days, newest first, at most 50' }),
  campaigns: Type.Array(LastCampaignEntry, { description: 'the five that started last' }),
  untrustedProxy: nullableSchema(
    Type.String({
      description: 'for operators: an untrusted address that sent X-Forwarded-For in the last hour',
    }),
  ),
  failingTasks: Type.Array(FailingTask, {
    description: 'for operators: periodic tasks and jobs of the installation that failed last, at most 100; else empty',
  }),
  date: { ...Instant, description: 'when it happened, in UTC' },
})
export type OverviewResource = Static<typeof OverviewResource>
