import { type RawBuilder, sql } from 'kysely'
import { getActionChannel, type SendingChannelName } from '../../../channels/channel-traits.ts'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import type { SentSource } from '../../../lib/sources.ts'
import type { TimePeriod } from '../../../lib/time/period.ts'
import { type ActionRef, loadAction } from '../../actions/resource/action-repository.ts'
import { isCampaignType } from '../../actions/resource/states.ts'
import { requestedAtMs, storedDetailText } from '../../events/counts/detail-facets.ts'
import type { EventReadScope } from '../../events/history/older-wanted.ts'
import type { EventKind } from '../../events/kinds/event-kinds.ts'
import { eventsVisibleSince } from '../../events/retention.ts'
import { loadNotification, type NotificationKey } from '../../notifications/stored.ts'

/** The subject of a report. */
export interface ReportSubject extends SentSource {
  channel: SendingChannelName
  purpose: string
  isCampaign: boolean
  /** The run of a campaign; null before it starts. */
  sending: number | null
  /** Period of the execution; open on both sides for a campaign. */
  period: TimePeriod
}

const openPeriod: TimePeriod = { start: undefined, end: undefined }

export const isBoundedPeriod = ({ start, end }: TimePeriod): boolean => start !== undefined || end !== undefined

/** The action of a report. Throws notFound, and 400 for a campaign with a period. */
export async function loadReportedAction(db: Db, ref: ActionRef, period: TimePeriod): Promise<ReportSubject> {
  const { type, settings, sending, started_at } = await loadAction(db, ref)
  const isRun = isCampaignType(type)
  if (isRun && isBoundedPeriod(period)) {
    const name = period.start === undefined ? 'end' : 'start'
    throw badRequestProblem(name, 'is only allowed for messages on demand: a campaign is reported as a whole')
  }
  return {
    account: ref.account,
    channel: getActionChannel(type),
    sourceKind: ref.family.sourceKind,
    source: ref.id,
    purpose: settings.purpose.type,
    isCampaign: isRun,
    sending: started_at === null ? null : sending,
    period: isRun ? openPeriod : period,
  }
}

/** The notification of a report. Throws notFound. */
export async function loadReportedNotification(
  db: Db,
  key: NotificationKey,
  period: TimePeriod,
): Promise<ReportSubject> {
  const { purpose } = await loadNotification(db, key)
  const { account, id: source } = key
  const { name: channel, sourceKind } = pushChannelTraits
  return { account, channel, sourceKind, source, purpose, isCampaign: false, sending: null, period }
}

/** Condition: an instant in milliseconds is within a period. */
function isWithinPeriodSql(ms: RawBuilder<unknown>, { start, end }: TimePeriod): RawBuilder<unknown> {
  return sql`(${start === undefined ? sql`true` : sql`${ms} >= ${start}::bigint`}
    and ${end === undefined ? sql`true` : sql`${ms} < ${end}::bigint`})`
}

/** Condition: a row with the time of its stamp belongs to the period. */
export function isInReportPeriodSql(stampTime: RawBuilder<unknown>, period: TimePeriod): RawBuilder<unknown> {
  return isBoundedPeriod(period)
    ? isWithinPeriodSql(sql`(date_part('epoch', ${stampTime}) * 1000)::bigint`, period)
    : sql`true`
}

/** Clocks of two machines differ by less. */
const CLOCK_SKEW_MS = 3_600_000

/** Events of a period: none is older than its execution, so that what was before the period is not read. */
function isPeriodEventSql(events: RawBuilder<unknown>, period: TimePeriod): RawBuilder<unknown> {
  const earliestEvent = findOldestEventTime(period)
  const oldestCondition = earliestEvent === undefined ? sql`` : sql`e.at >= ${new Date(earliestEvent)} and `
  return sql`${oldestCondition} ${isWithinPeriodSql(requestedAtMs(storedDetailText, events), period)}`
}

const findOldestEventTime = ({ start }: TimePeriod): number | undefined =>
  start === undefined ? undefined : Math.max(0, start - CLOCK_SKEW_MS)

/**
 * Selects the events that a statement with `isReportEventSql` reads, of these kinds. Events of other kinds of the same messages are found
 * by their stamps.
 */
export function olderReportEventsSql(
  { account, channel, source, period }: ReportSubject,
  kinds: readonly EventKind[],
): EventReadScope {
  // When a message was asked for is said by its execution, where nothing else says it.
  const readKinds: readonly EventKind[] = isBoundedPeriod(period) ? [...kinds, 'executions'] : kinds
  const conditions = { channels: [channel], subjects: [source], kinds: readKinds, since: findOldestEventTime(period) }
  return { account: account as AccountId, ...conditions, paths: readDetailPaths }
}

/** The details that the lists of a report read. */
const readDetailPaths = [
  'activation,recipient',
  'activation,stamp,time',
  'execution,stamp,time',
  'cancellation,type',
  'reply,text',
  'complaint,feedback',
  'bounce,status,type',
  'bounce,status,diagnostic',
  'bounce,analysis,verdict',
  'link,id',
  'link,url',
  'interaction,link,id',
  'interaction,link,url',
]

/** Condition on an event `e`, of the events that are given, of a list: of what is reported of, in its period, of no proof, and shown by its account. */
export function isReportEventSql(
  events: RawBuilder<unknown>,
  { account, channel, source, period }: ReportSubject,
): RawBuilder<unknown> {
  return sql`e.account = ${account} and e.channel = ${channel} and e.subject = ${source} and not e.is_test
    and e.at >= ${eventsVisibleSince(account)}
    and ${isBoundedPeriod(period) ? isPeriodEventSql(events, period) : sql`true`}`
}
