import type { AccountId } from '../../../lib/account.ts'
import type { StoredEvent, WantedEvents } from '../history/older-wanted.ts'
import { RCS } from '../kinds/event-kinds.ts'
import { timeOf } from '../store/store-border.ts'
import { tableFor, within } from './conditions.ts'
import { linesOf } from './lines.ts'
import { memberOf, type Paths, pathsOf } from './members.ts'
import {
  allOf,
  ch,
  type Fragment,
  idOf,
  idText,
  instant,
  int,
  joined,
  numbers,
  ofAccount,
  raw,
  texts,
  uuid,
  uuids,
} from './sql.ts'
import type { EventStore } from './store.ts'
import { NO_UUID, type TableName } from './tables.ts'

/** Selections that are read by one statement. */
const LEGS = 50
/** Ids of a statement. */
const IDS = 1000

const orNull = (column: string, none: string): string => `nullIf(x.${column}, ${none}) as ${column}`
const noUuid = `toUUID('${NO_UUID}')`

/** An event as a row of JSON: what is null in PostgreSQL is null, instants are milliseconds. */
const shownColumns = raw(
  [
    'toUnixTimestamp64Milli(x.at) as at, x.account as account, x.channel as channel, x.kind as kind',
    ...[orNull('subject', '0'), orNull('contact', '0')],
    ...['stamp', 'thread', 'subscription'].map((column) => orNull(column, noUuid)),
    ...['phone', 'agent', 'classification'].map((column) => orNull(column, "''")),
    'x.title as title, x.is_test as is_test, x.depth as depth, toUnixTimestamp64Milli(x.activation_at) as activation_at, x.detail as detail',
  ].join(', '),
)

function tableOf({ contacts, stamps, subjects, channels, thread }: WantedEvents): TableName {
  if (stamps !== undefined) return 'events_by_stamp'
  if (contacts !== undefined) return 'events_by_contact'
  if (thread !== undefined && channels?.every((channel) => channel === RCS)) return 'events_by_thread'
  return tableFor(subjects === undefined ? {} : { subject: 0 })
}

const optional = <T>(value: T | undefined, make: (value: T) => Fragment): Fragment[] =>
  value === undefined ? [] : [make(value)]

function conditionsOf(wanted: WantedEvents, until: number): Fragment {
  const { since: start, until: end, first } = wanted
  const sign = raw(first?.sort === 'desc' ? '<' : '>')
  return allOf([
    ofAccount,
    ...optional(wanted.channels, (channels) => ch`channel in ${texts(channels)}`),
    ...optional(wanted.kinds, (kinds) => ch`kind in ${texts(kinds)}`),
    ...optional(wanted.subjects, (subjects) => ch`subject in ${numbers(subjects)}`),
    ...optional(wanted.contacts, (contacts) => ch`contact in ${numbers(contacts)}`),
    ...optional(wanted.stamps, (stamps) => ch`stamp in ${uuids(stamps)}`),
    ...optional(wanted.thread, (thread) => ch`thread = ${uuid(thread)}`),
    ...(wanted.isHuman ? [ch`is_test = 0 and classification = ''`] : []),
    ...within(ch`at`, { start, end }),
    ch`at < ${instant(until)}`,
    ...optional(first?.after ?? undefined, (after) => {
      const time = instant(timeOf(after))
      return ch`at ${sign}= ${time} and (at, id) ${sign} (${time}, ${idOf(after)})`
    }),
  ])
}

/** The details of a selection: with what is read of them alone. */
function detailOf(paths: readonly string[] | undefined): Fragment {
  return paths === undefined ? raw('detail') : memberOf(pathsOf(paths) as Paths)
}

function legOf(wanted: WantedEvents, until: number): Fragment {
  const { first, paths } = wanted
  const end = first ? ch`order by at ${raw(first.sort)}, id ${raw(first.sort)} limit ${int(first.limit)}` : raw('')
  return ch`select * replace (${detailOf(paths)} as detail) from ${raw(tableOf(wanted))} where ${conditionsOf(wanted, until)} ${end}`
}

/** The events of some selections of one account before an instant, as lines of JSON, some at a time; one may come twice. */
export async function* olderLines(
  store: EventStore,
  { account, wanted, until }: { account: AccountId; wanted: readonly WantedEvents[]; until: number },
): AsyncGenerator<string[]> {
  for (let at = 0; at < wanted.length; at += LEGS) {
    const legs = wanted.slice(at, at + LEGS).map((one) => ch`select * from (${legOf(one, until)})`)
    const statement = ch`select ${idText} as id, ${shownColumns} from (${joined(legs, ' union all ')}) x format JSONEachRow`
    yield* linesOf(store, { account, statement })
  }
}

/** Events of an account by their ids, of those before an instant; in no order. */
export async function olderById(
  store: EventStore,
  { account, ids, until }: { account: AccountId; ids: readonly string[]; until: number },
): Promise<StoredEvent[]> {
  const own = ids.filter((id) => timeOf(id) < until)
  const found: StoredEvent[] = []
  for (let at = 0; at < own.length; at += IDS) {
    const some = own.slice(at, at + IDS)
    const times = [...new Set(some.map(timeOf))].map((time) => ch`${instant(time)}`)
    const statement = ch`
      select ${idText} as id, account, channel, kind, toUnixTimestamp64Milli(x.at) as time, detail from events_by_time x
      where ${ofAccount} and x.at in (${joined(times, ', ')}) and x.id in (${joined(some.map(idOf), ', ')}) and x.at < ${instant(until)}`
    const rows = await store.rows<Omit<StoredEvent, 'at'> & { time: number }>({ account, statement })
    for (const { time, ...event } of rows) found.push({ ...event, at: new Date(time) })
  }
  return found
}
