import { type Static, Type } from 'typebox'
import { channelTraits } from '../../../channels/channel-traits.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { ShortReport } from '../../actions/reports/short-report-schemas.ts'

const Instant = Type.String({ format: 'date-time' })
const NullableInstant = nullableSchema(Instant)
const ObjectId = Type.Union([Type.String(), Type.Integer()], {
  description: 'ID of the object, as in its own operations.',
})
const NullableName = nullableSchema(Type.String({ description: 'Name of the object. Null: it has no name.' }))

const actionTypes = Object.values(channelTraits).flatMap(({ actions }) => (actions ? Object.values(actions) : []))
const campaignTypes = Object.values(channelTraits).flatMap(({ actions }) => (actions ? [actions.campaign] : []))

/** A run in progress. */
const RunningOverviewEntry = Type.Object({
  type: Type.Enum([...actionTypes, 'notification', 'workflow', 'import', 'job'], {
    description: 'Type of the object.',
  }),
  id: ObjectId,
  name: NullableName,
  state: Type.Enum(['testing', 'validating', 'sending', 'paused', 'running', 'queued', 'active'], {
    description:
      'Current activity. `testing`: a test of an action runs. `validating`: an action is validated. `sending`: a ' +
      'campaign or notification is sent. `paused`: its sending is paused. `running`: an import or job runs. `queued`: ' +
      'a job waits. `active`: a workflow that contacts can enter.',
  }),
  since: { ...NullableInstant, description: 'Time since which it is running, in UTC. Null: not known.' },
  progress: nullableSchema(
    Type.Object(
      {
        done: Type.Integer({ description: 'Number of items done; bytes of an import.' }),
        total: nullableSchema(
          Type.Integer({ description: 'Number of items in total; bytes of an import. Null: not known.' }),
        ),
      },
      { description: 'Progress of the work. Null: not measured.' },
    ),
  ),
})
export type RunningOverviewEntry = Static<typeof RunningOverviewEntry>

/** A campaign that waits for its date. */
const PlannedOverviewEntry = Type.Object({
  type: Type.Enum([...campaignTypes, 'notification'], { description: 'Type of the object.' }),
  id: ObjectId,
  name: NullableName,
  startDate: { ...NullableInstant, description: 'Planned time of the start, in UTC. Null: not fixed.' },
})
export type PlannedOverviewEntry = Static<typeof PlannedOverviewEntry>

/** A request that waits for approval. */
const WaitingApproval = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the approval.' }),
  type: Type.Enum(['action', 'rcs', 'notification', 'workflow'], { description: 'Type of the object to approve.' }),
  object: ObjectId,
  name: NullableName,
  askedBy: nullableSchema(
    Type.String({ description: 'Name of the user who requested the approval. Null: not known.' }),
  ),
  date: { ...Instant, description: 'Time of the request, in UTC.' },
  comment: nullableSchema(Type.String({ description: 'Comment of the user who requested the approval. Null: none.' })),
})
/** An approval that waits, as the overview shows it. */
export type PendingApprovalEntry = Static<typeof WaitingApproval>

/** A failure of the last seven days. */
const FailedOverviewEntry = Type.Object({
  type: Type.Enum([...actionTypes, 'workflow', 'import', 'job', 'webhook'], {
    description: 'Type of the object.',
  }),
  id: ObjectId,
  name: NullableName,
  date: { ...NullableInstant, description: 'Time of the failure, in UTC. Null: not known.' },
  detail: Type.String({ description: 'Reason for the failure.' }),
})
export type FailedOverviewEntry = Static<typeof FailedOverviewEntry>

const LastCampaignEntry = Type.Object({
  type: Type.Enum(campaignTypes, { description: 'Type of the campaign.' }),
  id: ObjectId,
  name: NullableName,
  state: Type.Integer({ description: 'State of the campaign, as in its own operations.' }),
  startDate: { ...Instant, description: 'Time of the start, in UTC.' },
  report: ShortReport,
})
export type LastCampaignEntry = Static<typeof LastCampaignEntry>

const FailingTask = Type.Object({
  task: Type.String({ description: 'Name of the task, as in the metrics.' }),
  subject: Type.String({ description: 'Account or row of the task. Empty: the task as a whole.' }),
  failures: Type.Integer({ description: 'Number of failures since the last success.' }),
  since: { ...Instant, description: 'Time of the first failure, in UTC.' },
  error: Type.String({ description: 'Last error of the task.' }),
})

export const OverviewResource = Type.Object({
  running: Type.Array(RunningOverviewEntry, { description: 'Work in progress; at most 100 entries of each type.' }),
  planned: Type.Array(PlannedOverviewEntry, { description: 'Planned sends, the next first; at most 20.' }),
  approvals: Type.Array(WaitingApproval, { description: 'Pending approvals, newest first; at most 20.' }),
  failed: Type.Array(FailedOverviewEntry, {
    description: 'Failures of the last seven days, newest first; at most 50.',
  }),
  campaigns: Type.Array(LastCampaignEntry, {
    description: 'Campaigns that started last, with their results; at most five.',
  }),
  untrustedProxy: nullableSchema(
    Type.String({
      description: 'Untrusted address that sent `X-Forwarded-For` in the last hour; for operators only. Null: none.',
    }),
  ),
  failingTasks: Type.Array(FailingTask, {
    description:
      'Failing periodic tasks and jobs of the installation, for operators only; at most 100. Empty for others.',
  }),
  date: { ...Instant, description: 'Time of the overview, in UTC.' },
})
export type OverviewResource = Static<typeof OverviewResource>
