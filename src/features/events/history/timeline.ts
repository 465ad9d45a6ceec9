import { type RawBuilder, sql } from 'kysely'
import { channelTraits as sendingChannels } from '../../../channels/facts.ts'
import { findActionFamily } from '../../../channels/families.ts'
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

interface Row {
  id: string
  at: Date
  channel: EventChannel
  kind: EventKind
  subject: number | null
  stamp: string | null
  classification: ContactTimelineEvent['classification']
  is_test: boolean
  detail: Record<string, unknown>
  /** Of what was sent or shown. */
  name: string | null
  display: string | null
}

/** Behind which event, or before which moment in milliseconds, a page begins. */
interface Place {
  after?: string
  until?: number
}

function placeOf(text: string | undefined): Place {
  if (text === undefined) return {}
  const id = parseUuid(text)
  if (id?.[14] === '7') return { after: id }
  const until = parseInstant(text)
  if (until === undefined) throw badRequestProblem('before', 'must be the "next" of a page, or a date')
  return { until }
}

function before({ after, until }: Place): RawBuilder<unknown> {
  if (until !== undefined) return sql`at < ${new Date(until)}`
  if (after === undefined) return sql`true`
  const time = sql`uuid_extract_timestamp(${after}::uuid)`
  return sql`at <= ${time} and (at, id) < (${time}, ${after}::uuid)`
}

/** What sent or showed something, as its own operations name it. */
function sourceOf({ channel, subject, name, display }: Row): ContactTimelineEvent['source'] {
  if (channel === 'display') return display === null ? null : { type: 'displayCampaign', id: display, name }
  if (subject === null) return null
  const { sourceKind } = sendingChannels[channel]
  return { type: sourceKind, id: findActionFamily(sourceKind)?.showId(subject) ?? subject, name }
}

function show(row: Row): ContactTimelineEvent {
  const { id, at, channel, kind, stamp, classification, is_test: isTest, detail } = row
  return {
    ...{ id, at: at.toISOString(), channel, type: toEventType(kind), kind },
    source: sourceOf(row),
    ...{ stamp, classification, isTest, detail },
  }
}

/**
 * What was sent to a contact and what it did, on every channel, newest first: the events of the contact, machines' and
 * proofs included. Throws notFound, and 400 for a `before` that cannot be read.
 */
export async function readTimeline(
  db: Db,
  { account, contact }: { account: AccountId; contact: number },
  { before: given, limit = DEFAULT_LIMIT }: TimelineQuery,
): Promise<TimelinePage> {
  const place = placeOf(given)
  await resolveContactId(db, account, formatContactId(contact))
  const page = { account, contact, place, rows: limit + 1 }
  const rows = await readRows(db, page)
  const shown = rows.slice(0, limit)
  return { items: shown.map(show), next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null }
}

interface Page {
  account: AccountId
  contact: number
  place: Place
  rows: number
}

/** What is newest is here: older events are asked for where the page is not full without them. */
async function readRows(db: Db, page: Page): Promise<Row[]> {
  const { account, contact, place, rows: limit } = page
  if (findEventStore(db)) {
    const newer = sql`(select * from events where at >= (select border from event_store))`
    const { rows } = await pageQuery(newer, page).execute(db)
    if (rows.length === limit) return rows
  }
  const first = { sort: 'desc', limit, after: place.after } as const
  const wanted = [{ account, contacts: [contact], until: place.until, first }]
  return withEventTable(db, wanted, async (tx, events) => (await pageQuery(events, page).execute(tx)).rows)
}

/** The page is one walk along the index of the contact's events; names are read of its entries alone. */
function pageQuery(events: RawBuilder<unknown>, { account, contact, place, rows }: Page): RawBuilder<Row> {
  return sql<Row>`
    with page as materialized (
      select id, at, channel, kind, subject, stamp, classification, is_test, detail from ${events} e
      where account = ${account} and contact = ${contact} and ${before(place)}
        and at >= ${eventsVisibleSince(account)}
      order by at desc, id desc limit ${rows})
    select p.*, coalesce(x.name, n.name, d.name) as name, d.id as display
    from page p
    left join actions x on p.channel in ('email', 'sms', 'rcs') and x.account = ${account} and x.id = p.subject
    left join notifications n on p.channel = 'notification' and n.account = ${account} and n.id = p.subject
    left join display_campaigns d on p.channel = 'display' and d.account = ${account} and d.number = p.subject
    order by p.at desc, p.id desc`
}
