import { type RawBuilder, sql } from 'kysely'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { TimePeriod } from '../../../lib/time/period.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import { EARLY_REACTION_WAIT_DAYS, EARLY_REACTION_WAIT_SQL } from '../record/early.ts'
import type { SendStamp } from '../record/record.ts'
import { eventsVisibleSince } from '../retention.ts'
import { readEventRows } from './older-events.ts'

/** Pushes to a contact that are read; tests are excluded. */
export interface PushSelection {
  account: AccountId
  contact: number
  /** Bounds on the activation. */
  period: TimePeriod
  application?: string | undefined
  sort: 'asc' | 'desc'
  /** Id of the activation after which the list goes on. */
  after?: string | undefined
  limit?: number | undefined
}

/** One push as it was handed over, with the first of each thing that became of it. */
export interface SentPush {
  /** Id of the activation. */
  id: string
  at: Date
  /** Number of the notification, and the name that it has, or had when it was deleted. */
  notification: number
  name: string
  /** Null: it is not known. */
  title: string | null
  version: string
  application: string
  subscription: string
  stamp: SendStamp
  redirection: Date | null
  dismiss: Date | null
  impression: Date | null
  optout: Date | null
  bounce: Date | null
}

/** Columns of what became of a push, by the kinds of their events. */
const reactionKinds = {
  redirection: 'hits/redirection',
  dismiss: 'hits/dismiss',
  impression: 'impressions',
  optout: 'optouts',
  bounce: 'bounces',
} as const

const firstReactionColumns = sql.join(
  Object.entries(reactionKinds).map(
    ([name, kind]) => sql`min(e.at) filter (where e.kind = ${sql.lit(kind)}) as ${sql.ref(name)}`,
  ),
)

function buildConditions({ account, contact, period, application, sort, after }: PushSelection): RawBuilder<unknown> {
  const { start, end } = period
  const comparison = sql.raw(sort === 'asc' ? '>' : '<')
  const afterTime = sql`uuid_extract_timestamp(${after}::uuid)`
  return sql.join(
    [
      sql`a.account = ${account} and a.contact = ${contact} and a.channel = ${pushChannelTraits.name}`,
      sql`a.kind = 'activations' and not a.is_test`,
      sql`a.at >= ${eventsVisibleSince(account)}`,
      ...(start === undefined ? [] : [sql`a.at >= ${new Date(start)}`]),
      ...(end === undefined ? [] : [sql`a.at < ${new Date(end)}`]),
      ...(application === undefined ? [] : [sql`a.detail #>> '{activation,application}' = ${application}`]),
      ...(after === undefined
        ? []
        : [sql`a.at ${comparison}= ${afterTime} and (a.at, a.id) ${comparison} (${afterTime}, ${after}::uuid)`]),
    ],
    sql` and `,
  )
}

/** The pushes of a contact, in one statement: both are found by indexes, and what became of one is read as it is taken. */
export function readSentPushes(db: Db, selection: PushSelection): AsyncGenerator<SentPush> {
  const sortOrder = sql.raw(selection.sort)
  const { account, contact, period } = selection
  // What became of a push is an event of its contact too, and may be stored before it.
  const sinceTime = period.start === undefined ? undefined : period.start - EARLY_REACTION_WAIT_DAYS * DAY_MS
  const readScope = { account, contacts: [contact], channels: [pushChannelTraits.name], since: sinceTime } as const
  return readEventRows(
    db,
    [readScope],
    (events) => sql<SentPush>`
      select a.id, a.at, a.subject as notification, n.name, a.title, a.subscription, a.detail #>> '{activation,version}' as version,
        a.detail #>> '{activation,application}' as application, a.detail #> '{activation,stamp}' as stamp, r.*
      from ${events} a
      join notifications n on n.account = a.account and n.id = a.subject
      left join lateral (
        select ${firstReactionColumns} from ${events} e
        where e.account = a.account and e.stamp = a.stamp and e.subscription = a.subscription
          and e.kind = any(${Object.values(reactionKinds)}) and e.at > a.at - ${EARLY_REACTION_WAIT_SQL}) r on true
      where ${buildConditions(selection)}
      order by a.at ${sortOrder}, a.id ${sortOrder} limit ${selection.limit ?? null}::integer`,
    { batch: 100 },
  )
}
