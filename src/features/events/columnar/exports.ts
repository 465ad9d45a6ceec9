import { actionChannelNames } from '../../../channels/channel-traits.ts'
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

/** Messages to export: those of an action, by its number. */
interface ExportScope {
  account: AccountId
  action: number
}

/** Groups of counted hits, in addition to their send, as in PostgreSQL. */
export type StoreHitGrouping = 'stamp' | 'link'

const receiverColumns = clickHouseSql`coalesce(${extractDetailText('activation,receiver,id')}, ${extractDetailText('activation,receiver,value')}) as contact,
  ${extractDetailText('activation,receiver,unicity')} as unicity, ${extractDetailText('activation,receiver,hash')} as hash, ${extractDetailText('activation,recipient')} as address`

const nullableStamp = rawClickHouseSql(`nullIf(stamp, toUUID('${NIL_UUID}')) as stamp`)

/** The real events of a kind: proofs and robots left out. */
function buildExportCondition({ action }: ExportScope, kind: EventKind, until: number): ClickHouseFragment {
  return clickHouseSql`${accountCondition} and channel in ${stringArrayParam(actionChannelNames)} and subject = ${int64Param(action)} and kind = ${stringParam(kind)} and is_test = 0
    and classification = '' and at < ${instantParam(until)}`
}

/** Returns the messages sent before an instant, in order. */
export function readOlderRecipients(store: EventStore, of: ExportScope, until: number): AsyncGenerator<StoreExportRow> {
  return readExportRows(
    store,
    of,
    clickHouseSql`
    select ${receiverColumns}, ${nullableStamp}, toUnixTimestamp64Milli(at) as sent from events_by_subject e
    where ${buildExportCondition(of, 'activations', until)} order by e.at, e.id`,
  )
}

/** Hits before an instant, counted by send, or by send and link, in the order of the first; that one gives the contact. */
export function readOlderHits(
  store: EventStore,
  of: ExportScope,
  { kind, grouping, until }: { kind: EventKind; grouping: StoreHitGrouping; until: number },
): AsyncGenerator<StoreExportRow> {
  const linkColumns = clickHouseSql`coalesce(${extractDetailText('link,name')}, ${extractDetailText('link,id')}) as link, ${extractDetailText('link,url')} as url,`
  return readExportRows(
    store,
    of,
    clickHouseSql`
    select tupleElement(who, 1) as contact, tupleElement(who, 2) as unicity, tupleElement(who, 3) as hash, tupleElement(who, 4) as address,
      ${nullableStamp}, ${rawClickHouseSql(grouping === 'link' ? 'link, url,' : '')} toUnixTimestamp64Milli(tupleElement(begun, 1)) as first,
      toUnixTimestamp64Milli(latest) as last, n as count
    from (
      select stamp, ${rawClickHouseSql(grouping === 'link' ? 'link, url,' : '')} argMin(tuple(contact, unicity, hash, address), tuple(at, id)) as who,
        min(tuple(at, id)) as begun, max(at) as latest, count() as n
      from (
        select e.stamp as stamp, e.at as at, e.id as id, ${grouping === 'link' ? linkColumns : rawClickHouseSql('')} ${receiverColumns} from events_by_subject e
        where ${buildExportCondition(of, kind, until)})
      group by stamp ${rawClickHouseSql(grouping === 'link' ? ', link, url' : '')})
    order by begun`,
  )
}

const instantMembers = ['sent', 'first', 'last']

async function* readExportRows(
  store: EventStore,
  { account }: ExportScope,
  query: ClickHouseFragment,
): AsyncGenerator<StoreExportRow> {
  const statement = clickHouseSql`${query} format JSONEachRow`
  for await (const lines of readStoreLines(store, { account, statement })) {
    for (const line of lines) {
      const row = JSON.parse(line) as StoreExportRow
      for (const name of instantMembers) if (name in row) row[name] = new Date(row[name] as number)
      yield row
    }
  }
}
