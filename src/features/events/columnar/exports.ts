import { actionChannels } from '../../../channels/facts.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { Cell } from '../../../lib/files/csv-cell.ts'
import type { Kind } from '../kinds/event-kinds.ts'
import { linesOf } from './lines.ts'
import { textAt } from './members.ts'
import { ch, type Fragment, instant, int, ofAccount, raw, text, texts } from './sql.ts'
import type { EventStore } from './store.ts'
import { NO_UUID } from './tables.ts'

/** A line of an export by its columns. */
export type ExportRow = Record<string, Cell>

/** Whose messages are exported: of an action by its number. */
interface ExportOf {
  account: AccountId
  action: number
}

/** What of hits is counted apart, beside their send: as in PostgreSQL. */
export type Grouping = 'stamp' | 'link'

const receiver = ch`coalesce(${textAt('activation,receiver,id')}, ${textAt('activation,receiver,value')}) as contact,
  ${textAt('activation,receiver,unicity')} as unicity, ${textAt('activation,receiver,hash')} as hash, ${textAt('activation,recipient')} as address`

const stampOrNull = raw(`nullIf(stamp, toUUID('${NO_UUID}')) as stamp`)

/** The real events of a kind: proofs and robots left out. */
function chosen({ action }: ExportOf, kind: Kind, until: number): Fragment {
  return ch`${ofAccount} and channel in ${texts(actionChannels)} and subject = ${int(action)} and kind = ${text(kind)} and is_test = 0
    and classification = '' and at < ${instant(until)}`
}

/** What went out before an instant, in order. */
export function olderRecipients(store: EventStore, of: ExportOf, until: number): AsyncGenerator<ExportRow> {
  return rowsOf(
    store,
    of,
    ch`
    select ${receiver}, ${stampOrNull}, toUnixTimestamp64Milli(at) as sent from events_by_subject e
    where ${chosen(of, 'activations', until)} order by e.at, e.id`,
  )
}

/** Hits before an instant, counted by send, or by send and link, in the order of the first; that one gives the contact. */
export function olderHits(
  store: EventStore,
  of: ExportOf,
  { kind, grouping, until }: { kind: Kind; grouping: Grouping; until: number },
): AsyncGenerator<ExportRow> {
  const link = ch`coalesce(${textAt('link,name')}, ${textAt('link,id')}) as link, ${textAt('link,url')} as url,`
  return rowsOf(
    store,
    of,
    ch`
    select tupleElement(who, 1) as contact, tupleElement(who, 2) as unicity, tupleElement(who, 3) as hash, tupleElement(who, 4) as address,
      ${stampOrNull}, ${raw(grouping === 'link' ? 'link, url,' : '')} toUnixTimestamp64Milli(tupleElement(begun, 1)) as first,
      toUnixTimestamp64Milli(latest) as last, n as count
    from (
      select stamp, ${raw(grouping === 'link' ? 'link, url,' : '')} argMin(tuple(contact, unicity, hash, address), tuple(at, id)) as who,
        min(tuple(at, id)) as begun, max(at) as latest, count() as n
      from (
        select e.stamp as stamp, e.at as at, e.id as id, ${grouping === 'link' ? link : raw('')} ${receiver} from events_by_subject e
        where ${chosen(of, kind, until)})
      group by stamp ${raw(grouping === 'link' ? ', link, url' : '')})
    order by begun`,
  )
}

const instants = ['sent', 'first', 'last']

async function* rowsOf(store: EventStore, { account }: ExportOf, query: Fragment): AsyncGenerator<ExportRow> {
  const statement = ch`${query} format JSONEachRow`
  for await (const lines of linesOf(store, { account, statement })) {
    for (const line of lines) {
      const row = JSON.parse(line) as ExportRow
      for (const name of instants) if (name in row) row[name] = new Date(row[name] as number)
      yield row
    }
  }
}
