import { type RawBuilder, sql } from 'kysely'
import { channels as sendingChannels } from '../../../channels/facts.ts'
import { familyNamed } from '../../../channels/families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequest } from '../../../lib/errors/problem.ts'
import { contactId, readUuid } from '../../../lib/ids.ts'
import { readInstant } from '../../../lib/time/period.ts'
import { contactNamed } from '../../contacts/records/find.ts'
import { storeOf } from '../columnar/store.ts'
import type { TimelineEntry, TimelinePage, TimelineQuery } from '../event-schemas.ts'
import { type Channel, type Kind, typeOf } from '../kinds/event-kinds.ts'
import { shownSince } from '../retention.ts'
import { withEvents } from './older-events.ts'

const DEFAULT_LIMIT = 50

interface Row {
  id: string
  at: Date
  channel: Channel
  kind: Kind
  subject: number | null
  stamp: string | null
  classification: TimelineEntry['classification']
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
  const id = readUuid(text)
  if (id?.[14] === '7') return { after: id }
  const until = readInstant(text)
  if (until === undefined) throw badRequest('before', 'must be the "next" of a page, or a date')
  return { until }
}

function before({ after, until }: Place): RawBuilder<unknown> {
  if (until !== undefined) return sql`at < ${new Date(until)}`
  if (after === undefined) return sql`true`
  const time = sql`uuid_extract_timestamp(${after}::uuid)`
  return sql`at <= ${time} and (at, id) < (${time}, ${after}::uuid)`
}

/** What sent or showed something, as its own operations name it. */
function sourceOf({ channel, subject, name, display }: Row): TimelineEntry['source'] {
  if (channel === 'display') return display === null ? null : { type: 'displayCampaign', id: display, name }
  if (subject === null) return null
  const { sourceKind } = sendingChannels[channel]
  return { type: sourceKind, id: familyNamed(sourceKind)?.showId(subject) ?? subject, name }
}

function show(row: Row): TimelineEntry {
  const { id, at, channel, kind, stamp, classification, is_test: isTest, detail } = row
  return {
    ...{ id, at: at.toISOString(), channel, type: typeOf(kind), kind },
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
  await contactNamed(db, account, contactId(contact))
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
  if (storeOf(db)) {
    const newer = sql`(select * from events where at >= (select border from event_store))`
    const { rows } = await pageQuery(newer, page).execute(db)
    if (rows.length === limit) return rows
  }
  const first = { sort: 'desc', limit, after: place.after } as const
  const wanted = [{ account, contacts: [contact], until: place.until, first }]
  return withEvents(db, wanted, async (tx, events) => (await pageQuery(events, page).execute(tx)).rows)
}

/** The page is one walk along the index of the contact's events; names are read of its entries alone. */
function pageQuery(events: RawBuilder<unknown>, { account, contact, place, rows }: Page): RawBuilder<Row> {
  return sql<Row>`
    with page as materialized (
      select id, at, channel, kind, subject, stamp, classification, is_test, detail from ${events} e
      where account = ${account} and contact = ${contact} and ${before(place)}
        and at >= ${shownSince(account)}
      order by at desc, id desc limit ${rows})
    select p.*, coalesce(x.name, n.name, d.name) as name, d.id as display
    from page p
    left join actions x on p.channel in ('email', 'sms', 'rcs') and x.account = ${account} and x.id = p.subject
    left join notifications n on p.channel = 'notification' and n.account = ${account} and n.id = p.subject
    left join display_campaigns d on p.channel = 'display' and d.account = ${account} and d.number = p.subject
    order by p.at desc, p.id desc`
}
