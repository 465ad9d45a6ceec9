import { type RawBuilder, sql } from 'kysely'
import { actionChannelNames } from '../../../channels/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { AccountId } from '../../../lib/account.ts'
import { formatCsvCell } from '../../../lib/files/csv-cell.ts'
import { readOlderHits, readOlderRecipients, type StoreExportRow, type StoreHitGrouping } from '../columnar/exports.ts'
import { findEventStore } from '../columnar/store.ts'
import type { EventKind } from '../kinds/event-kinds.ts'

/** What can be exported of an action. */
export const actionExportKinds = ['recipients', 'opens', 'clicks'] as const
export type ActionExportKind = (typeof actionExportKinds)[number]

/** Whose messages are exported. */
export interface ActionExportScope {
  account: AccountId
  /** Number of the action. */
  action: number
  kind: ActionExportKind
}

/** Pieces of about so many characters go out. */
const CHUNK = 32 * 1024

/** What an activation, in `detail` of an event, says of whom it went to. */
const receiver = sql`
  coalesce(detail #>> '{activation,receiver,id}', detail #>> '{activation,receiver,value}') as contact,
  detail #>> '{activation,receiver,unicity}' as unicity, detail #>> '{activation,receiver,hash}' as hash,
  detail #>> '{activation,recipient}' as address, stamp`

/** The real events of a kind: proofs and robots left out. `since`: a further condition on their time. */
function chosen(
  { account, action }: ActionExportScope,
  kind: EventKind,
  since: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`account = ${account} and channel = any(${actionChannelNames}::text[]) and subject = ${action} and kind = ${kind} and not is_test
    and classification is null ${since}`
}

type Columns = Record<string, RawBuilder<unknown>>

/** What hits are counted by beside their send. */
const groupings: Record<StoreHitGrouping, Columns> = {
  stamp: {},
  link: {
    link: sql`coalesce(detail #>> '{link,name}', detail #>> '{link,id}')`,
    url: sql`detail #>> '{link,url}'`,
  },
}

/** Hits counted by send and further columns; the first of them gives the contact. */
function counted(events: RawBuilder<unknown>, more: Columns): RawBuilder<unknown> {
  const columns = Object.entries(more)
  const named = columns.map(([name, value]) => sql`${value} as ${sql.id(name)}, `)
  const shown = columns.map(([name]) => sql`h.${sql.id(name)}, `)
  const grouped = columns.map(([name]) => sql`, ${sql.id(name)}`)
  return sql`
    with hits as (
      select stamp, ${sql.join(named, sql``)} (array_agg(id order by at, id))[1] as id, min(at) as first, max(at) as last,
        count(*) as count
      from events where ${events} group by stamp ${sql.join(grouped, sql``)})
    select e.contact, e.unicity, e.hash, e.address, e.stamp, ${sql.join(shown, sql``)} h.first, h.last, h.count
    from hits h cross join lateral (select ${receiver} from events e where e.id = h.id and e.at = h.first) e
    order by h.first, h.id`
}

/** What is exported: events one by one, or hits counted. */
interface Exported {
  /** The columns beside those of all. */
  columns: readonly string[]
  kind: EventKind
  grouping: StoreHitGrouping | null
}

const exportsOf: Record<ActionExportKind, Exported> = {
  recipients: { columns: ['sent'], kind: 'activations', grouping: null },
  opens: { columns: ['first', 'last', 'count'], kind: 'hits/open', grouping: 'stamp' },
  clicks: { columns: ['link', 'url', 'first', 'last', 'count'], kind: 'hits/redirection', grouping: 'link' },
}

function query(of: ActionExportScope, since = sql``): RawBuilder<StoreExportRow> {
  const { kind, grouping } = exportsOf[of.kind]
  const events = chosen(of, kind, since)
  const all =
    grouping === null
      ? sql`select ${receiver}, at as sent from events where ${events} order by at, id`
      : counted(events, groupings[grouping])
  return sql<StoreExportRow>`${all}`
}

/** The rows of an export: older ones first, which may be kept elsewhere. Throws `event-history-away`. */
async function* exportRows(db: Db, of: ActionExportScope): AsyncGenerator<StoreExportRow> {
  const store = findEventStore(db)
  const border = store ? await borderOf(db) : Number.NEGATIVE_INFINITY
  if (!store || border === Number.NEGATIVE_INFINITY) return yield* streamRows(db, query(of))
  const { kind, grouping } = exportsOf[of.kind]
  const since = sql`and at >= ${new Date(border)}`
  if (grouping === null) {
    yield* readOlderRecipients(store, of, border)
    yield* streamRows(db, query(of, since))
    return requireKept(db, border)
  }
  const columns = Object.keys(groupings[grouping])
  const late = await lateHits(db, of, { border, columns: groupings[grouping] })
  for await (const row of readOlderHits(store, of, { kind, grouping, until: border })) {
    const more = late.get(keyOf(row, columns))
    if (more) more.isTaken = true
    yield more ? { ...row, last: more.last, count: Number(row['count']) + more.count } : row
  }
  for await (const row of streamRows(db, query(of, since))) if (!late.get(keyOf(row, columns))?.isTaken) yield row
  await requireKept(db, border)
}

/** While an export is written the border moves on. What it passed meanwhile must not have been dropped before it was read. */
async function requireKept(db: Db, border: number): Promise<void> {
  const { rows: dropped } = await sql`select from event_store where dropped_until > ${new Date(border)}`.execute(db)
  if (dropped.length > 0)
    throw new Error('events were dropped while they were exported: the export is to be made again')
}

const keyOf = (row: StoreExportRow, columns: readonly string[]): string =>
  JSON.stringify(['stamp', ...columns].map((name) => row[name] ?? null))

async function borderOf(db: Db): Promise<number> {
  const { rows: states } = await sql<{ border: number }>`
    select round(date_part('epoch', border) * 1000) as border from event_store`.execute(db)
  return states[0]?.border ?? Number.NEGATIVE_INFINITY
}

interface Late {
  last: Date
  count: number
  /** Its line was written, with what came before the border. */
  isTaken: boolean
}

/** Hits after the border on messages of before it: the first of their line may be there. */
async function lateHits(
  db: Db,
  of: ActionExportScope,
  { border, columns }: { border: number; columns: Columns },
): Promise<Map<string, Late>> {
  const instant = new Date(border)
  const names = Object.keys(columns)
  const more = Object.entries(columns).map(([name, value]) => sql`${value} as ${sql.id(name)}, `)
  const late = sql`and at >= ${instant} and (activation_at is null or activation_at < ${instant})`
  const { rows: found } = await sql<StoreExportRow & Omit<Late, 'isTaken'>>`
    select stamp, ${sql.join(more, sql``)} max(at) as last, count(*) as count from events
    where ${chosen(of, exportsOf[of.kind].kind, late)}
    group by stamp ${sql.join(
      names.map((name) => sql`, ${sql.id(name)}`),
      sql``,
    )}`.execute(db)
  return new Map(found.map((row) => [keyOf(row, names), { last: row.last, count: row.count, isTaken: false }]))
}

/** An export as CSV with its header line (RFC 4180), piece by piece. */
export async function* exportActionCsv(db: Db, of: ActionExportScope): AsyncGenerator<string> {
  const { columns: own } = exportsOf[of.kind]
  const columns = ['contact', 'unicity', 'hash', 'address', 'stamp', ...own]
  let text = `${columns.join(',')}\r\n`
  for await (const row of exportRows(db, of)) {
    text += `${columns.map((column) => formatCsvCell(row[column] ?? null, ',')).join(',')}\r\n`
    if (text.length < CHUNK) continue
    yield text
    text = ''
  }
  yield text
}
