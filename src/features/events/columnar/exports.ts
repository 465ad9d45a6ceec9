import { actionChannelNames } from '../../../channels/facts.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { CsvCellValue } from '../../../lib/files/csv-cell.ts'
import type { EventKind } from '../kinds/event-kinds.ts'
import { readStoreLines } from './lines.ts'
import { extractDetailText } from './members.ts'
import {
  accountCondition,
  type ClickHouseFragment,
  clickHouseSql,
  instantParam,
  int64Param,
  rawClickHouseSql,
  stringArrayParam,
  stringParam,
} from './sql.ts'
import type { EventStore } from './store.ts'
import { NIL_UUID } from './tables.ts'

/** A line of an export by its columns. */
export type StoreExportRow = Record<string, CsvCellValue>

/** Whose messages are exported: of an action by its number. */
interface ExportOf {
  account: AccountId
  action: number
}

/** What of hits is counted apart, beside their send: as in PostgreSQL. */
export type StoreHitGrouping = 'stamp' | 'link'

const receiver = clickHouseSql`coalesce(${extractDetailText('activation,receiver,id')}, ${extractDetailText('activation,receiver,value')}) as contact,
  ${extractDetailText('activation,receiver,unicity')} as unicity, ${extractDetailText('activation,receiver,hash')} as hash, ${extractDetailText('activation,recipient')} as address`

const stampOrNull = rawClickHouseSql(`nullIf(stamp, toUUID('${NIL_UUID}')) as stamp`)

/** The real events of a kind: proofs and robots left out. */
function chosen({ action }: ExportOf, kind: EventKind, until: number): ClickHouseFragment {
  return clickHouseSql`${accountCondition} and channel in ${stringArrayParam(actionChannelNames)} and subject = ${int64Param(action)} and kind = ${stringParam(kind)} and is_test = 0
    and classification = '' and at < ${instantParam(until)}`
}

/** What went out before an instant, in order. */
export function readOlderRecipients(store: EventStore, of: ExportOf, until: number): AsyncGenerator<StoreExportRow> {
  return rowsOf(
    store,
    of,
    clickHouseSql`
    select ${receiver}, ${stampOrNull}, toUnixTimestamp64Milli(at) as sent from events_by_subject e
    where ${chosen(of, 'activations', until)} order by e.at, e.id`,
  )
}

/** Hits before an instant, counted by send, or by send and link, in the order of the first; that one gives the contact. */
export function readOlderHits(
  store: EventStore,
  of: ExportOf,
  { kind, grouping, until }: { kind: EventKind; grouping: StoreHitGrouping; until: number },
): AsyncGenerator<StoreExportRow> {
  const link = clickHouseSql`coalesce(${extractDetailText('link,name')}, ${extractDetailText('link,id')}) as link, ${extractDetailText('link,url')} as url,`
  return rowsOf(
    store,
    of,
    clickHouseSql`
    select tupleElement(who, 1) as contact, tupleElement(who, 2) as unicity, tupleElement(who, 3) as hash, tupleElement(who, 4) as address,
      ${stampOrNull}, ${rawClickHouseSql(grouping === 'link' ? 'link, url,' : '')} toUnixTimestamp64Milli(tupleElement(begun, 1)) as first,
      toUnixTimestamp64Milli(latest) as last, n as count
    from (
      select stamp, ${rawClickHouseSql(grouping === 'link' ? 'link, url,' : '')} argMin(tuple(contact, unicity, hash, address), tuple(at, id)) as who,
        min(tuple(at, id)) as begun, max(at) as latest, count() as n
      from (
        select e.stamp as stamp, e.at as at, e.id as id, ${grouping === 'link' ? link : rawClickHouseSql('')} ${receiver} from events_by_subject e
        where ${chosen(of, kind, until)})
      group by stamp ${rawClickHouseSql(grouping === 'link' ? ', link, url' : '')})
    order by begun`,
  )
}

const instants = ['sent', 'first', 'last']

async function* rowsOf(
  store: EventStore,
  { account }: ExportOf,
  query: ClickHouseFragment,
): AsyncGenerator<StoreExportRow> {
  const statement = clickHouseSql`${query} format JSONEachRow`
  for await (const lines of readStoreLines(store, { account, statement })) {
    for (const line of lines) {
      const row = JSON.parse(line) as StoreExportRow
      for (const name of instants) if (name in row) row[name] = new Date(row[name] as number)
      yield row
    }
  }
}
