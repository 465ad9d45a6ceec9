import { type RawBuilder, sql } from 'kysely'
import { actionChannelNames } from '../../../channels/channel-traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { AccountId } from '../../../lib/account.ts'
import { formatCsvCell } from '../../../lib/files/csv-cell.ts'
import { readOlderHits, readOlderRecipients, type StoreExportRow, type StoreHitGrouping } from '../columnar/exports.ts'
import { findEventStore } from '../columnar/store.ts'
import type { EventKind } from '../kinds/event-kinds.ts'

/** Kinds of exports of an action. */
export const actionExportKinds = ['recipients', 'opens', 'clicks'] as const
export type ActionExportKind = (typeof actionExportKinds)[number]

/** Action whose messages are exported. */
export interface ActionExportScope {
  account: AccountId
  /** Number of the action. */
  action: number
  kind: ActionExportKind
}

/** Output is sent in chunks of about this many characters. */
const CHUNK_LENGTH = 32 * 1024

/** Columns of the recipient that an activation, in `detail` of an event, records. */
const receiverColumns = sql`
  coalesce(detail #>> '{activation,receiver,id}', detail #>> '{activation,receiver,value}') as contact,
  detail #>> '{activation,receiver,unicity}' as unicity, detail #>> '{activation,receiver,hash}' as hash,
  detail #>> '{activation,recipient}' as address, stamp`

/** The real events of a kind: proofs and robots left out. `since`: a further condition on their time. */
function buildExportCondition(
  { account, action }: ActionExportScope,
  kind: EventKind,
  since: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`account = ${account} and channel = any(${actionChannelNames}::text[]) and subject = ${action} and kind = ${kind} and not is_test
    and classification is null ${since}`
}

type ExportColumns = Record<string, RawBuilder<unknown>>

/** Groups of counted hits, in addition to their send. */
const hitGroupings: Record<StoreHitGrouping, ExportColumns> = {
  stamp: {},
  link: {
    link: sql`coalesce(detail #>> '{link,name}', detail #>> '{link,id}')`,
    url: sql`detail #>> '{link,url}'`,
  },
}

/** Hits counted by send and further columns; the first of them gives the contact. */
function selectCountedHits(events: RawBuilder<unknown>, groupColumns: ExportColumns): RawBuilder<unknown> {
  const columnEntries = Object.entries(groupColumns)
  const namedColumns = columnEntries.map(([name, value]) => sql`${value} as ${sql.id(name)}, `)
  const selectedColumns = columnEntries.map(([name]) => sql`h.${sql.id(name)}, `)
  const groupedColumns = columnEntries.map(([name]) => sql`, ${sql.id(name)}`)
  return sql`
    with hits as (
      select stamp, ${sql.join(namedColumns, sql``)} (array_agg(id order by at, id))[1] as id, min(at) as first, max(at) as last,
        count(*) as count
      from events where ${events} group by stamp ${sql.join(groupedColumns, sql``)})
    select e.contact, e.unicity, e.hash, e.address, e.stamp, ${sql.join(selectedColumns, sql``)} h.first, h.last, h.count
    from hits h cross join lateral (select ${receiverColumns} from events e where e.id = h.id and e.at = h.first) e
    order by h.first, h.id`
}

/** Content of an export: single events, or counted hits. */
interface ExportShape {
  /** Columns in addition to those of all exports. */
  columns: readonly string[]
  kind: EventKind
  grouping: StoreHitGrouping | null
}

const exportShapes: Record<ActionExportKind, ExportShape> = {
  recipients: { columns: ['sent'], kind: 'activations', grouping: null },
  opens: { columns: ['first', 'last', 'count'], kind: 'hits/open', grouping: 'stamp' },
  clicks: { columns: ['link', 'url', 'first', 'last', 'count'], kind: 'hits/redirection', grouping: 'link' },
}

function buildExportQuery(of: ActionExportScope, since = sql``): RawBuilder<StoreExportRow> {
  const { kind, grouping } = exportShapes[of.kind]
  const events = buildExportCondition(of, kind, since)
  const exportSelect =
    grouping === null
      ? sql`select ${receiverColumns}, at as sent from events where ${events} order by at, id`
      : selectCountedHits(events, hitGroupings[grouping])
  return sql<StoreExportRow>`${exportSelect}`
}

/** The rows of an export: older ones first, which may be kept elsewhere. Throws `event-history-away`. */
async function* readExportRows(db: Db, of: ActionExportScope): AsyncGenerator<StoreExportRow> {
  const store = findEventStore(db)
  const border = store ? await readBorder(db) : Number.NEGATIVE_INFINITY
  if (!store || border === Number.NEGATIVE_INFINITY) return yield* streamRows(db, buildExportQuery(of))
  const { kind, grouping } = exportShapes[of.kind]
  const since = sql`and at >= ${new Date(border)}`
  if (grouping === null) {
    yield* readOlderRecipients(store, of, border)
    yield* streamRows(db, buildExportQuery(of, since))
    return requireRetained(db, border)
  }
  const columns = Object.keys(hitGroupings[grouping])
  const lateHitsByKey = await loadLateHits(db, of, { border, columns: hitGroupings[grouping] })
  for await (const row of readOlderHits(store, of, { kind, grouping, until: border })) {
    const lateHit = lateHitsByKey.get(buildRowKey(row, columns))
    if (lateHit) lateHit.isTaken = true
    yield lateHit ? { ...row, last: lateHit.last, count: Number(row['count']) + lateHit.count } : row
  }
  for await (const row of streamRows(db, buildExportQuery(of, since)))
    if (!lateHitsByKey.get(buildRowKey(row, columns))?.isTaken) yield row
  await requireRetained(db, border)
}

/** While an export is written the border moves on. What it passed meanwhile must not have been dropped before it was read. */
async function requireRetained(db: Db, border: number): Promise<void> {
  const { rows: droppedRows } = await sql`select from event_store where dropped_until > ${new Date(border)}`.execute(db)
  if (droppedRows.length > 0) throw new Error('events were dropped during their export: the export must be repeated')
}

const buildRowKey = (row: StoreExportRow, columns: readonly string[]): string =>
  JSON.stringify(['stamp', ...columns].map((name) => row[name] ?? null))

async function readBorder(db: Db): Promise<number> {
  const { rows: stateRows } = await sql<{ border: number }>`
    select round(date_part('epoch', border) * 1000) as border from event_store`.execute(db)
  return stateRows[0]?.border ?? Number.NEGATIVE_INFINITY
}

interface LateHits {
  last: Date
  count: number
  /** Its line was written, with what came before the border. */
  isTaken: boolean
}

/** Hits after the border on messages of before it: the first of their line may be there. */
async function loadLateHits(
  db: Db,
  of: ActionExportScope,
  { border, columns }: { border: number; columns: ExportColumns },
): Promise<Map<string, LateHits>> {
  const borderDate = new Date(border)
  const names = Object.keys(columns)
  const valueColumns = Object.entries(columns).map(([name, value]) => sql`${value} as ${sql.id(name)}, `)
  const lateCondition = sql`and at >= ${borderDate} and (activation_at is null or activation_at < ${borderDate})`
  const { rows: lateRows } = await sql<StoreExportRow & Omit<LateHits, 'isTaken'>>`
    select stamp, ${sql.join(valueColumns, sql``)} max(at) as last, count(*) as count from events
    where ${buildExportCondition(of, exportShapes[of.kind].kind, lateCondition)}
    group by stamp ${sql.join(
      names.map((name) => sql`, ${sql.id(name)}`),
      sql``,
    )}`.execute(db)
  return new Map(lateRows.map((row) => [buildRowKey(row, names), { last: row.last, count: row.count, isTaken: false }]))
}

/** An export as CSV with its header line (RFC 4180), piece by piece. */
export async function* exportActionCsv(db: Db, of: ActionExportScope): AsyncGenerator<string> {
  const { columns: exportColumns } = exportShapes[of.kind]
  const columns = ['contact', 'unicity', 'hash', 'address', 'stamp', ...exportColumns]
  let text = `${columns.join(',')}\r\n`
  for await (const row of readExportRows(db, of)) {
    text += `${columns.map((column) => formatCsvCell(row[column] ?? null, ',')).join(',')}\r\n`
    if (text.length < CHUNK_LENGTH) continue
    yield text
    text = ''
  }
  yield text
}
