import { type RawBuilder, sql } from 'kysely'
import { findActionFamily } from '../../../channels/action-families.ts'
import { channelTraits } from '../../../channels/channel-traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { formatContactId, parseUuid } from '../../../lib/ids.ts'
import { parseInstant } from '../../../lib/time/period.ts'
import { resolveContactId } from '../../contacts/records/find.ts'
import { findEventStore } from '../columnar/store.ts'
import type { ContactTimelineEvent, TimelinePage, TimelineQuery } from '../event-schemas.ts'
import { type EventChannel, type EventKind, toEventType } from '../kinds/event-kinds.ts'
import { eventsVisibleSince } from '../retention.ts'
import { withEventTable } from './older-events.ts'

const DEFAULT_LIMIT = 50

interface TimelineRow {
  id: string
  at: Date
  channel: EventChannel
  kind: EventKind
  subject: number | null
  stamp: string | null
  classification: ContactTimelineEvent['classification']
  is_test: boolean
  detail: Record<string, unknown>
  /** Name of the sent or shown object. */
  name: string | null
  display: string | null
}

/** Behind which event, or before which moment in milliseconds, a page begins. */
interface TimelinePosition {
  after?: string
  until?: number
}

function parsePosition(text: string | undefined): TimelinePosition {
  if (text === undefined) return {}
  const id = parseUuid(text)
  if (id?.[14] === '7') return { after: id }
  const untilTime = parseInstant(text)
  if (untilTime === undefined) throw badRequestProblem('before', 'must be the "next" value of a page, or a date')
  return { until: untilTime }
}

function buildBeforeCondition({ after, until }: TimelinePosition): RawBuilder<unknown> {
  if (until !== undefined) return sql`at < ${new Date(until)}`
  if (after === undefined) return sql`true`
  const afterTime = sql`uuid_extract_timestamp(${after}::uuid)`
  return sql`at <= ${afterTime} and (at, id) < (${afterTime}, ${after}::uuid)`
}

/** Builds the source of an event, in the notation of the source's own operations. */
function buildSource({ channel, subject, name, display }: TimelineRow): ContactTimelineEvent['source'] {
  if (channel === 'display') return display === null ? null : { type: 'displayCampaign', id: display, name }
  if (subject === null) return null
  const { sourceKind } = channelTraits[channel]
  return { type: sourceKind, id: findActionFamily(sourceKind)?.showId(subject) ?? subject, name }
}

function toTimelineEvent(row: TimelineRow): ContactTimelineEvent {
  const { id, at, channel, kind, stamp, classification, is_test: isTest, detail } = row
  return {
    id,
    at: at.toISOString(),
    channel,
    type: toEventType(kind),
    kind,
    source: buildSource(row),
    stamp,
    classification,
    isTest,
    detail,
  }
}

/**
 * Returns the messages and actions of a contact, on every channel, newest first, including those of machines and proofs. Throws a 404
 * Problem for an unknown contact, and 400 for an invalid `before`.
 */
export async function readTimeline(
  db: Db,
  { account, contact }: { account: AccountId; contact: number },
  { before: beforeText, limit = DEFAULT_LIMIT }: TimelineQuery,
): Promise<TimelinePage> {
  const position = parsePosition(beforeText)
  await resolveContactId(db, account, formatContactId(contact))
  const page = { account, contact, place: position, rows: limit + 1 }
  const rows = await readTimelineRows(db, page)
  const pageRows = rows.slice(0, limit)
  return { items: pageRows.map(toTimelineEvent), next: rows.length > limit ? (pageRows.at(-1)?.id ?? null) : null }
}

interface PageSelection {
  account: AccountId
  contact: number
  place: TimelinePosition
  rows: number
}

/** The newest events are in PostgreSQL: older ones are requested only if the page is not full without them. */
async function readTimelineRows(db: Db, page: PageSelection): Promise<TimelineRow[]> {
  const { account, contact, place: position, rows: limit } = page
  if (findEventStore(db)) {
    const localEvents = sql`(select * from events where at >= (select border from event_store))`
    const { rows } = await buildPageQuery(localEvents, page).execute(db)
    if (rows.length === limit) return rows
  }
  const firstRows = { sort: 'desc', limit, after: position.after } as const
  const readScopes = [{ account, contacts: [contact], until: position.until, first: firstRows }]
  return withEventTable(db, readScopes, async (tx, events) => (await buildPageQuery(events, page).execute(tx)).rows)
}

/** The page is one walk along the index of the contact's events; names are read of its entries alone. */
function buildPageQuery(
  events: RawBuilder<unknown>,
  { account, contact, place: position, rows }: PageSelection,
): RawBuilder<TimelineRow> {
  return sql<TimelineRow>`
    with page as materialized (
      select id, at, channel, kind, subject, stamp, classification, is_test, detail from ${events} e
      where account = ${account} and contact = ${contact} and ${buildBeforeCondition(position)}
        and at >= ${eventsVisibleSince(account)}
      order by at desc, id desc limit ${rows})
    select p.*, coalesce(x.name, n.name, d.name) as name, d.id as display
    from page p
    left join actions x on p.channel in ('email', 'sms', 'rcs') and x.account = ${account} and x.id = p.subject
    left join notifications n on p.channel = 'notification' and n.account = ${account} and n.id = p.subject
    left join display_campaigns d on p.channel = 'display' and d.account = ${account} and d.number = p.subject
    order by p.at desc, p.id desc`
}
