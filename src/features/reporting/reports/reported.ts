import { type RawBuilder, sql } from 'kysely'
import { type ChannelName, channelOfAction } from '../../../channels/facts.ts'
import { notification } from '../../../channels/push/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequest } from '../../../lib/errors/problem.ts'
import type { Source } from '../../../lib/sources.ts'
import type { Period } from '../../../lib/time/period.ts'
import { type ActionRef, loadAction } from '../../actions/resource/action-repository.ts'
import { isCampaign } from '../../actions/resource/states.ts'
import { askedOf, stored } from '../../events/counts/detail-facets.ts'
import type { WantedEvents } from '../../events/history/older-wanted.ts'
import type { Kind } from '../../events/kinds/event-kinds.ts'
import { shownSince } from '../../events/retention.ts'
import { loadNotification, type NotificationKey } from '../../notifications/stored.ts'

/** What a report is of. */
export interface Reported extends Source {
  channel: ChannelName
  purpose: string
  isCampaign: boolean
  /** The run of a campaign; null before it starts. */
  sending: number | null
  /** Of the execution; open on both sides for a campaign. */
  period: Period
}

const open: Period = { start: undefined, end: undefined }

export const isBounded = ({ start, end }: Period): boolean => start !== undefined || end !== undefined

/** The action of a report. Throws notFound, and 400 for a campaign with a period. */
export async function reportedAction(db: Db, ref: ActionRef, period: Period): Promise<Reported> {
  const { type, settings, sending, started_at } = await loadAction(db, ref)
  const isRun = isCampaign(type)
  if (isRun && isBounded(period)) {
    const name = period.start === undefined ? 'end' : 'start'
    throw badRequest(name, 'is only for what is sent on demand: a campaign is reported of as a whole')
  }
  return {
    account: ref.account,
    channel: channelOfAction(type),
    sourceKind: ref.family.sourceKind,
    source: ref.id,
    purpose: settings.purpose.type,
    isCampaign: isRun,
    sending: started_at === null ? null : sending,
    period: isRun ? open : period,
  }
}

/** The notification of a report. Throws notFound. */
export async function reportedNotification(db: Db, key: NotificationKey, period: Period): Promise<Reported> {
  const { purpose } = await loadNotification(db, key)
  const { account, id: source } = key
  const { name: channel, sourceKind } = notification
  return { account, channel, sourceKind, source, purpose, isCampaign: false, sending: null, period }
}

/** Whether an instant in milliseconds is within a period. */
function isWithin(ms: RawBuilder<unknown>, { start, end }: Period): RawBuilder<unknown> {
  return sql`(${start === undefined ? sql`true` : sql`${ms} >= ${start}::bigint`}
    and ${end === undefined ? sql`true` : sql`${ms} < ${end}::bigint`})`
}

/** Whether a row with the time of its stamp is of the period. */
export function isAskedIn(stampTime: RawBuilder<unknown>, period: Period): RawBuilder<unknown> {
  return isBounded(period) ? isWithin(sql`(date_part('epoch', ${stampTime}) * 1000)::bigint`, period) : sql`true`
}

/** Clocks of two machines differ by less. */
const SKEW_MS = 3_600_000

/** Events of a period: none is older than its execution, so that what was before the period is not read. */
function isOfPeriod(events: RawBuilder<unknown>, period: Period): RawBuilder<unknown> {
  const since = oldestOf(period)
  const oldest = since === undefined ? sql`` : sql`e.at >= ${new Date(since)} and `
  return sql`${oldest} ${isWithin(askedOf(stored, events), period)}`
}

const oldestOf = ({ start }: Period): number | undefined =>
  start === undefined ? undefined : Math.max(0, start - SKEW_MS)

/** Which events a statement with `isEventOf` reads, of these kinds; those of other kinds of the same messages are found by their stamps. */
export function olderOf({ account, channel, source, period }: Reported, kinds: readonly Kind[]): WantedEvents {
  // When a message was asked for is said by its execution, where nothing else says it.
  const all: readonly Kind[] = isBounded(period) ? [...kinds, 'executions'] : kinds
  const conditions = { channels: [channel], subjects: [source], kinds: all, since: oldestOf(period) }
  return { account: account as AccountId, ...conditions, paths: read }
}

/** What of the details the lists of a report read. */
const read = [
  ...[
    'activation,recipient',
    'activation,stamp,time',
    'execution,stamp,time',
    'cancellation,type',
    'reply,text',
    'complaint,feedback',
  ],
  ...['bounce,status,type', 'bounce,status,diagnostic', 'bounce,analysis,verdict', 'link,id', 'link,url'],
  ...['interaction,link,id', 'interaction,link,url'],
]

/** Condition on an event `e`, of the events that are given, of a list: of what is reported of, in its period, of no proof, and shown by its account. */
export function isEventOf(
  events: RawBuilder<unknown>,
  { account, channel, source, period }: Reported,
): RawBuilder<unknown> {
  return sql`e.account = ${account} and e.channel = ${channel} and e.subject = ${source} and not e.is_test
    and e.at >= ${shownSince(account)}
    and ${isBounded(period) ? isOfPeriod(events, period) : sql`true`}`
}
