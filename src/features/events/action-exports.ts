import { type RawBuilder, sql } from 'kysely'
import { actionChannels } from '../../channels/facts.ts'
import type { Db } from '../../database/connect.ts'
import { rows } from '../../database/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import { type Cell, csvCell } from '../../lib/csv-cell.ts'

/** What can be exported of an action. */
export const exportKinds = ['recipients', 'opens', 'clicks'] as const
export type ExportKind = (typeof exportKinds)[number]

/** Whose messages are exported. */
export interface ExportOf {
  account: AccountId
  /** Number of the action. */
  action: number
  kind: ExportKind
}

/** Pieces of about so many characters go out. */
const CHUNK = 32 * 1024

/** What an activation, in `detail` of an event, says of whom it went to. */
const receiver = sql`
  coalesce(detail #>> '{activation,receiver,id}', detail #>> '{activation,receiver,value}') as contact,
  detail #>> '{activation,receiver,unicity}' as unicity, detail #>> '{activation,receiver,hash}' as hash,
  detail #>> '{activation,recipient}' as address, stamp`

/** The real events of a kind: proofs and robots left out. */
function chosen({ account, action }: ExportOf, kind: string): RawBuilder<unknown> {
  return sql`account = ${account} and channel = any(${actionChannels}::text[]) and subject = ${action} and kind = ${kind} and not is_test
    and classification is null`
}

/** Hits counted by send and further columns; the first of them gives the contact. */
function counted(of: ExportOf, kind: string, more: Record<string, RawBuilder<unknown>>): RawBuilder<unknown> {
  const columns = Object.entries(more)
  const named = columns.map(([name, value]) => sql`${value} as ${sql.id(name)}, `)
  const shown = columns.map(([name]) => sql`h.${sql.id(name)}, `)
  const grouped = columns.map(([name]) => sql`, ${sql.id(name)}`)
  return sql`
    with hits as (
      select stamp, ${sql.join(named, sql``)} (array_agg(id order by at, id))[1] as id, min(at) as first, max(at) as last,
        count(*) as count
      from events where ${chosen(of, kind)} group by stamp ${sql.join(grouped, sql``)})
    select e.contact, e.unicity, e.hash, e.address, e.stamp, ${sql.join(shown, sql``)} h.first, h.last, h.count
    from hits h cross join lateral (select ${receiver} from events e where e.id = h.id and e.at = h.first) e
    order by h.first, h.id`
}

/** The columns of each kind beside those of all, and its rows. */
const exportsOf: Record<ExportKind, { columns: readonly string[]; query: (of: ExportOf) => RawBuilder<unknown> }> = {
  recipients: {
    columns: ['sent'],
    query: (of) => sql`select ${receiver}, at as sent from events where ${chosen(of, 'activations')} order by at, id`,
  },
  opens: { columns: ['first', 'last', 'count'], query: (of) => counted(of, 'hits/open', {}) },
  clicks: {
    columns: ['link', 'url', 'first', 'last', 'count'],
    query: (of) =>
      counted(of, 'hits/redirection', {
        link: sql`coalesce(detail #>> '{link,name}', detail #>> '{link,id}')`,
        url: sql`detail #>> '{link,url}'`,
      }),
  },
}

/** An export as CSV with its header line (RFC 4180), piece by piece. */
export async function* exportText(db: Db, of: ExportOf): AsyncGenerator<string> {
  const { columns: own, query } = exportsOf[of.kind]
  const columns = ['contact', 'unicity', 'hash', 'address', 'stamp', ...own]
  let text = `${columns.join(',')}\r\n`
  for await (const row of rows(db, query(of) as RawBuilder<Record<string, Cell>>)) {
    text += `${columns.map((column) => csvCell(row[column] ?? null, ',')).join(',')}\r\n`
    if (text.length < CHUNK) continue
    yield text
    text = ''
  }
  yield text
}
