import { type RawBuilder, sql } from 'kysely'
import type { ServiceContext } from '../context.ts'
import type { Db } from '../database/connection/connect.ts'
import type { DB } from '../database/tables.ts'
import { purgeArchives } from '../features/archives/archive-keeping.ts'
import { purgeAuditRows } from '../features/audit/retention.ts'
import { purgeEventCounts } from '../features/events/counts/summary-counts.ts'
import { CONTACT_HOURS_RETENTION_MONTHS } from '../features/events/record/contact-hours.ts'
import { purgeOldEvents } from '../features/events/retention.ts'
import { dropStoredMonths } from '../features/events/store/store-tasks.ts'
import { purgeImportFiles } from '../features/imports/upload/uploads.ts'
import { SESSION_IDLE_MS, SESSION_MAX_AGE_MS } from '../features/people/sessions/sessions.ts'
import { SIGN_IN_COUNTING_WINDOW_MS } from '../features/people/sign-in/guessing.ts'
import { PROVIDER_STATE_TTL_MS } from '../features/people/sign-in/provider.ts'
import { SIGN_IN_ATTEMPT_TTL_MS } from '../features/people/sign-in/sign-in.ts'
import { purgePhoneCapabilities } from '../features/rcs-profiles/capabilities.ts'
import { UNREGISTERED_RETENTION_MS } from '../features/subscriptions/gone.ts'
import { purgeOrphanWebhookRows } from '../features/webhooks/dead-letters.ts'
import { purgeStreamNotices } from '../features/webhooks/stream/stream-notices.ts'
import { trimWebtaskRuns, WEBTASK_RUN_RETENTION_DAYS } from '../features/webtasks/executions/records.ts'
import { WEBTASK_STAMP_RETENTION_MS } from '../features/webtasks/public/stamps.ts'
import { purgeExperimentVisits } from '../features/workflows/experiments/retention.ts'
import { purgeWorkflowRuns, purgeWorkflowVersions } from '../features/workflows/runs/retention.ts'
import { IDEMPOTENCY_RETENTION_MS } from '../http/middleware/idempotency.ts'
import { STALE_FAILURE_MS, type TaskParts } from '../jobs/failures.ts'
import { createUuidV7 } from '../lib/ids.ts'
import { DAY_MS, HOUR_MS } from '../lib/time/spans.ts'
import { purgeEndedInstants } from '../sending/record/ended-counts.ts'

type TableName = keyof DB
/** The value of a column before which rows are no longer retained. */
type RetentionLimit = (now: number) => RawBuilder<unknown>

/** Rows that are deleted by the age that a column has. */
type AgedRows = {
  [Table in TableName]: {
    table: Table
    column: keyof DB[Table] & string
    /** Rows deleted in one transaction, and the columns that identify them; all at once when absent. */
    batch?: { size: number; key: (keyof DB[Table] & string)[] }
  }
}[TableName] & {
  keep: RetentionLimit
  /** Rows at the limit itself are deleted too. */
  isInclusive?: true
}

/** Rows of which each group retains the newest by id. */
interface NumberedRows {
  table: TableName
  keepNewest: number
  per: string
}

/** Rows whose deletion is more than one by age: the room that owns them does it. */
interface OwnRows {
  table: TableName
  column: string
  /** The retention period in words. */
  keepText: string
  /** The setting that decides this. */
  setting?: string
  purge(context: ServiceContext, now: number): Promise<unknown>
}

/** A row of the table: `part` is its part of the housekeeping. Rows of one part follow each other. */
type RetentionRule = { part: string } & (AgedRows | NumberedRows | OwnRows)

const keepMs =
  (ms: number): RetentionLimit =>
  (now) =>
    sql`${new Date(now - ms)}`
const keepDays = (days: number): RetentionLimit => keepMs(days * DAY_MS)
const keepMonths =
  (months: number): RetentionLimit =>
  (now) =>
    sql`${new Date(now)}::timestamptz - interval ${sql.lit(`${months} months`)}`
/** For columns that hold the first day of a month. */
const keepWholeMonths =
  (months: number): RetentionLimit =>
  (now) =>
    sql`date_trunc('month', ${keepMonths(months)(now)})::date`
/** For ids that begin with the time. */
const keepDaysById =
  (days: number): RetentionLimit =>
  (now) =>
    sql`${createUuidV7(now - days * DAY_MS)}`
/** For columns that the clock of the database sets. */
const keepDaysOfDatabase =
  (days: number): RetentionLimit =>
  () =>
    sql`now() - interval ${sql.lit(`${days} day`)}`
/** For columns that hold when the row expires. */
const keepUntilThen = keepMs(0)

/*
 * Everything that is deleted after a time. Each list runs in its order, as parts of the housekeeping (housekeeping.ts). A rule that
 * needs more than a delete by age names the function of the room that owns the table.
 */

/** Devices that were unregistered: every minute. */
export const deviceRetention: readonly RetentionRule[] = [
  {
    part: 'forgetGone',
    table: 'gone_subscriptions',
    column: 'deleted_at',
    keep: keepMs(UNREGISTERED_RETENTION_MS),
  },
  // A minute of attempts is counted from its beginning.
  {
    part: 'forgetGone',
    table: 'push_attempts',
    column: 'began_at',
    keep: keepMs(UNREGISTERED_RETENTION_MS + 60_000),
  },
]

/** Logs that are retained up to a number of rows: every minute. */
export const logRetention: readonly RetentionRule[] = [
  {
    part: 'trimRuns',
    table: 'webtask_runs',
    column: 'at',
    keepText: 'the newest 1,000 of each web task and outcome',
    purge: ({ db }, now) => trimWebtaskRuns(db, now),
  },
  { part: 'trimRequests', table: 'request_log', column: 'at', keep: keepMs(HOUR_MS), isInclusive: true },
  { part: 'trimRequests', table: 'request_log', keepNewest: 10_000, per: 'account' },
  { part: 'trimTries', table: 'webhook_tries', column: 'at', keep: keepMs(HOUR_MS), isInclusive: true },
  { part: 'trimTries', table: 'webhook_tries', keepNewest: 1000, per: 'webhook' },
]

/** Events and what is counted of them: every night, before sent messages are counted again. */
export const eventRetention: readonly RetentionRule[] = [
  {
    part: 'forgetOldEvents',
    table: 'events',
    column: 'at',
    keepText: '25 months; activations 14 months, natural keys 40 days, honeypot hits 10 minutes',
    setting: 'events.retentionMonths of the account',
    purge: ({ db, log }) => purgeOldEvents(db, log),
  },
  {
    part: 'dropStored',
    table: 'events',
    column: 'at',
    keepText: 'whole months until the event store alone has them',
    purge: dropStoredMonths,
  },
  {
    part: 'forgetOldCounts',
    table: 'event_counts',
    column: 'start',
    keepText: 'as long as the events',
    purge: ({ db }) => purgeEventCounts(db),
  },
  {
    part: 'forgetOldHours',
    table: 'contact_hours',
    column: 'month',
    keep: keepWholeMonths(CONTACT_HOURS_RETENTION_MONTHS),
  },
  {
    part: 'forgetOldHours',
    table: 'account_hours',
    column: 'month',
    keep: keepWholeMonths(CONTACT_HOURS_RETENTION_MONTHS),
  },
]

/** Everything else: every night. */
export const nightlyRetention: readonly RetentionRule[] = [
  // A sent message can be shown again, and its short links work.
  { part: 'forgetSentMessages', table: 'sent_messages', column: 'ended_at', keep: keepDays(400) },
  { part: 'forgetSentMessages', table: 'followups', column: 'created_at', keep: keepDays(400) },
  { part: 'forgetSentMessages', table: 'held_out_contacts', column: 'created_at', keep: keepDays(400) },
  { part: 'forgetSentMessages', table: 'short_links', column: 'created_at', keep: keepDays(400) },
  {
    part: 'forgetInstants',
    table: 'ended_quarters',
    column: 'start',
    keepText: 'the instants of a quarter for 26 months, its counts forever',
    purge: ({ db }, now) => purgeEndedInstants(db, new Date(now)),
  },
  // As long as sent messages; the counts stay.
  { part: 'forgetGoals', table: 'experiment_goals', column: 'reached_at', keep: keepDays(400) },
  { part: 'forgetRates', table: 'rate_limits', column: 'refilled_at', keep: keepDaysOfDatabase(1) },
  { part: 'forgetPeople', table: 'sessions', column: 'last_used_at', keep: keepMs(SESSION_IDLE_MS) },
  { part: 'forgetPeople', table: 'sessions', column: 'created_at', keep: keepMs(SESSION_MAX_AGE_MS) },
  { part: 'forgetPeople', table: 'sign_in_attempts', column: 'created_at', keep: keepMs(SIGN_IN_ATTEMPT_TTL_MS) },
  { part: 'forgetPeople', table: 'sign_in_failures', column: 'at', keep: keepMs(SIGN_IN_COUNTING_WINDOW_MS) },
  { part: 'forgetPeople', table: 'person_links', column: 'expires_at', keep: keepUntilThen },
  { part: 'forgetPeople', table: 'invitations', column: 'expires_at', keep: keepUntilThen },
  { part: 'forgetPeople', table: 'passkey_challenges', column: 'expires_at', keep: keepUntilThen },
  { part: 'forgetPeople', table: 'provider_states', column: 'created_at', keep: keepMs(PROVIDER_STATE_TTL_MS) },
  // 25 months.
  { part: 'forgetGrowth', table: 'growth_days', column: 'counted_at', keep: keepDays(762) },
  {
    part: 'forgetArchives',
    table: 'archives',
    column: 'sent_at',
    keepText: '1,095 days; an archive without a message 1 hour',
    setting: 'sending.archiveDays of the account',
    purge: ({ db }, now) => purgeArchives(db, now),
  },
  {
    part: 'forgetIdempotencyKeys',
    table: 'idempotency_keys',
    column: 'created_at',
    keep: keepMs(IDEMPOTENCY_RETENTION_MS),
  },
  { part: 'forgetOldJobs', table: 'jobs', column: 'ended_at', keep: keepDays(30) },
  { part: 'forgetFirings', table: 'workflow_firings', column: 'ended_at', keep: keepDays(90) },
  {
    part: 'forgetOldNotices',
    table: 'notices',
    column: 'id',
    keep: keepDaysById(90),
    batch: { size: 10_000, key: ['id'] },
  },
  {
    part: 'forgetRuns',
    table: 'workflow_runs',
    column: 'ended_at',
    keepText: '90 days, with all that belongs to the run',
    setting: 'STENTOR_RUN_DAYS',
    purge: ({ db, config }, now) => purgeWorkflowRuns(db, now, config.runDays),
  },
  {
    part: 'forgetVersions',
    table: 'workflow_versions',
    column: 'replaced_at',
    keepText: '90 days, longer while a run or a wait needs the version',
    purge: ({ db }, now) => purgeWorkflowVersions(db, now),
  },
  {
    part: 'forgetAudit',
    table: 'audit',
    column: 'at',
    keepText: '400 days; the database refuses any other deletion',
    setting: 'STENTOR_AUDIT_DAYS',
    purge: ({ db, config }, now) => purgeAuditRows(db, now, config.auditDays),
  },
  { part: 'forgetWebtaskRuns', table: 'webtask_runs', column: 'at', keep: keepDays(WEBTASK_RUN_RETENTION_DAYS) },
  { part: 'forgetStamps', table: 'webtask_stamps', column: 'claimed_at', keep: keepMs(WEBTASK_STAMP_RETENTION_MS) },
  {
    part: 'forgetVisits',
    table: 'workflow_experiment_visits',
    column: 'until',
    keepText: '1 day, longer while the visit is not counted or its run is open',
    purge: ({ db }, now) => purgeExperimentVisits(db, now),
  },
  { part: 'forgetUnmatched', table: 'unmatched_reports', column: 'received_at', keep: keepDays(30) },
  {
    part: 'forgetDeadLetters',
    table: 'webhook_deliveries',
    column: 'dead_at',
    keep: keepDays(30),
    batch: { size: 10_000, key: ['webhook', 'id'] },
  },
  {
    part: 'forgetDeadLetters',
    table: 'listener_queue',
    column: 'listener',
    keepText: 'as long as the webhook',
    purge: ({ db }) => purgeOrphanWebhookRows(db),
  },
  {
    part: 'forgetStreamNotices',
    table: 'stream_notices',
    column: 'used_at',
    keepText: '48 hours; the types of the account are registered again',
    purge: ({ db }, now) => purgeStreamNotices(db, now),
  },
  // A reply can still be assigned to one account among several.
  { part: 'forgetSmsSends', table: 'sms_sends', column: 'sent_at', keep: keepMonths(13) },
  { part: 'forgetAwaited', table: 'awaited_subscriptions', column: 'awaited_at', keep: keepDays(90) },
  {
    part: 'forgetCapabilities',
    table: 'rcs_capabilities',
    column: 'checked_at',
    keepText: 'as long as an answer is used',
    setting: 'capability.cacheHours of the RCS profile',
    purge: ({ db }, now) => purgePhoneCapabilities(db, new Date(now)),
  },
  {
    part: 'forgetWebhookTokens',
    table: 'rcs_webhook_tokens',
    column: 'expires_at',
    keep: keepUntilThen,
    isInclusive: true,
  },
  {
    part: 'expireImports',
    table: 'import_uploads',
    column: 'uploaded_at',
    keepText: '30 days, with their files; rejected lines 90 days',
    setting: 'contacts.sourceRetentionDays and contacts.rejectsRetentionDays of the account',
    purge: ({ db, config }, now) => purgeImportFiles(db, config, new Date(now)),
  },
  {
    part: 'forgetFailures',
    table: 'task_failures',
    column: 'next_at',
    keep: keepMs(STALE_FAILURE_MS),
    isInclusive: true,
  },
]

async function deleteAgedRows(db: Db, rows: AgedRows, now: number): Promise<void> {
  const { table, column, keep, isInclusive, batch } = rows
  const isExpired = sql`${sql.ref(column)} ${sql.raw(isInclusive ? '<=' : '<')} ${keep(now)}`
  if (!batch) {
    await sql`delete from ${sql.table(table)} where ${isExpired}`.execute(db)
    return
  }
  const keyColumns = sql.join(batch.key.map((name) => sql.ref(name)))
  const deleteBatch = sql`
    delete from ${sql.table(table)} where (${keyColumns}) in (
      select ${keyColumns} from ${sql.table(table)} where ${isExpired} order by ${sql.ref(column)} limit ${batch.size})`
  while ((await deleteBatch.execute(db)).numAffectedRows === BigInt(batch.size)) {
    // The next batch.
  }
}

async function deleteAllButNewest(db: Db, { table, keepNewest, per }: NumberedRows): Promise<void> {
  await sql`
    delete from ${sql.table(table)} where id in (
      select id from (select id, row_number() over (partition by ${sql.ref(per)} order by id desc) as place from ${sql.table(table)}) placed
      where place > ${keepNewest})`.execute(db)
}

const allRules = [...deviceRetention, ...logRetention, ...eventRetention, ...nightlyRetention]

/** Deletes the rows of one part of the housekeeping that are no longer retained. `now` in milliseconds. */
export async function purgeExpiredRows(context: ServiceContext, part: string, now: number): Promise<void> {
  const rules = allRules.filter((rule) => rule.part === part)
  if (rules.length === 0) throw new Error(`no rule of retention is called ${part}`)
  for (const rule of rules) {
    if ('purge' in rule) await rule.purge(context, now)
    else if ('keepNewest' in rule) await deleteAllButNewest(context.db, rule)
    else await deleteAgedRows(context.db, rule, now)
  }
}

/** The parts of the housekeeping that retention rules make, in their order. */
export function createRetentionParts(context: ServiceContext, rules: readonly RetentionRule[]): TaskParts {
  return Object.fromEntries(rules.map(({ part }) => [part, () => purgeExpiredRows(context, part, context.clock.now())]))
}
