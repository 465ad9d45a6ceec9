import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { formatContactId } from '../../../lib/ids.ts'
import { type ReportMeasure, reportMeasures } from '../../actions/reports/short-reports.ts'
import { readEventRows } from '../../events/history/older-events.ts'
import type { EventReadScope } from '../../events/history/older-wanted.ts'
import type { EventKind } from '../../events/kinds/event-kinds.ts'
import { goalContactRows, heldOutContactRows, isVersionMessageSql, type ReportEventRows } from './experiment-figures.ts'
import {
  hasArrivalEvents,
  isDeliveredMessageSql,
  messageOutcomeRowsSql,
  messageOutcomes,
  outcomeEventKinds,
} from './outcomes.ts'
import type { ReportContactResource } from './report-schemas.ts'
import { isReportEventSql, olderReportEventsSql, type ReportSubject } from './reported.ts'

/** What stands behind a number: messages, contacts with any of some events, or these events. */
type Behind =
  | { type: 'messages'; where: (events: RawBuilder<unknown>) => RawBuilder<unknown> }
  | { type: 'contacts'; kinds: readonly EventKind[]; link?: number }
  | { type: 'events'; kinds: readonly EventKind[] }
  | ({ type: 'rows' } & ReportEventRows)

const reacted: readonly ReportMeasure[] = ['opens', 'clicks']
const told: readonly ReportMeasure[] = ['unsubscribes', 'complaints', 'replies', 'bounces']

/** Reads the word of a number. Throws 400 for one that has no list. */
async function readBehind(db: Db, of: string, reported: ReportSubject): Promise<Behind> {
  const [word = '', ...rest] = of.split(':')
  const argument = rest.length === 0 ? undefined : rest.join(':')
  if (word === 'version' && argument !== undefined) {
    const where = await isVersionMessageSql(db, reported, argument)
    if (where) return { type: 'messages', where: () => where }
  }
  if (word === 'goal' && argument !== undefined) {
    const reached = await goalContactRows(db, reported, argument)
    if (reached) return { type: 'rows', ...reached }
  }
  if (word === 'cancelled' && argument !== undefined) {
    const type = sql`coalesce(o.detail, 'unknown') = ${argument}`
    return { type: 'messages', where: () => sql`o.outcome = 'cancelled' and ${type}` }
  }
  if (word === 'link' && argument !== undefined && /^\d{1,9}$/.test(argument))
    return { type: 'contacts', kinds: reportMeasures.clicks, link: Number(argument) }
  if (argument === undefined) {
    if (word === 'holdout') return { type: 'rows', wanted: [], rows: () => heldOutContactRows(reported) }
    if (word === 'audience') return { type: 'messages', where: () => sql`true` }
    if (word === 'delivered' && hasArrivalEvents(reported))
      return {
        type: 'messages',
        where: (events) => sql`o.outcome = 'sent' and ${isDeliveredMessageSql(events, reported)}`,
      }
    if (messageOutcomes.some((outcome) => outcome === word))
      return { type: 'messages', where: () => sql`o.outcome = ${word}` }
    const measure = [...reacted, ...told].find((name) => name === word)
    if (measure) return { type: reacted.includes(measure) ? 'contacts' : 'events', kinds: reportMeasures[measure] }
  }
  throw badRequestProblem(
    'of',
    `must be audience, delivered (not of push), ${messageOutcomes.join(', ')}, cancelled:{type}, ${[...reacted, ...told].join(', ')}, link:{id}, holdout, version:{id}, goal:{id} or goal:holdout of its experiment`,
  )
}

/** What a reaction says for itself. */
const said = sql`coalesce(e.detail #>> '{bounce,status,diagnostic}', e.detail #>> '{reply,text}', e.detail #>> '{complaint,feedback}',
  e.detail #>> '{link,url}', e.detail #>> '{interaction,link,url}')`

/** Which events a list is read of. */
function olderBehind(reported: ReportSubject, behind: Behind): readonly EventReadScope[] {
  if (behind.type === 'rows') return behind.wanted
  return [olderReportEventsSql(reported, behind.type === 'messages' ? outcomeEventKinds : behind.kinds)]
}

/** Rows of the events that are given: key, contact, address, stamp, at, detail. */
function behindRows(given: RawBuilder<unknown>, reported: ReportSubject, behind: Behind): RawBuilder<unknown> {
  if (behind.type === 'messages')
    return sql`
      select o.stamp::text as key, o.contact, o.address, o.stamp, o.at, o.detail from (${messageOutcomeRowsSql(given, reported)}) o where ${behind.where(given)}`
  if (behind.type === 'rows') return behind.rows(given)
  const { kinds } = behind
  const events = sql`${given} e where ${isReportEventSql(given, reported)} and e.kind = any(${kinds}::text[])
    and e.classification is null and e.activation_at is not null`
  const address = sql`e.detail #>> '{activation,recipient}'`
  if (behind.type === 'events')
    return sql`select e.id::text as key, e.contact, ${address} as address, e.stamp, e.at, ${said} as detail from ${events}`
  const link =
    behind.link === undefined
      ? sql``
      : sql`and coalesce(e.detail #>> '{link,id}', e.detail #>> '{interaction,link,id}', '0') = ${String(behind.link)}`
  return sql`
    select distinct on (e.contact) lpad(e.contact::text, 19, '0') as key, e.contact, ${address} as address, e.stamp, e.at, ${said} as detail
    from ${events} ${link} and e.contact is not null order by e.contact, e.at`
}

interface Row extends Omit<ReportContactResource, 'id' | 'at'> {
  key: string
  contact: number | null
  at: Date
}

const place = Symbol('place')
export type ListedReportContact = ReportContactResource & { [place]: string }
export const reportContactCursor = (listed: ListedReportContact): string => listed[place]

/**
 * The messages, contacts or events behind a number of a report, each with its contact, in an order of their own. As many as
 * the number says: of opens, clicks and links that of different contacts. Throws 400 for a word that has no list.
 */
export async function* listReportContacts(
  db: Db,
  reported: ReportSubject,
  { of, after, limit }: { of: string; after: string | undefined; limit: number | undefined },
): AsyncGenerator<ListedReportContact> {
  const behind = await readBehind(db, of, reported)
  const query = (events: RawBuilder<unknown>) => sql<Row>`
    select key, contact, nullif(address, '') as address, stamp, at, detail from (${behindRows(events, reported, behind)}) b
    where ${after ?? null}::text is null or key collate "C" > ${after ?? null}::text
    order by key collate "C" limit ${limit ?? null}::integer`
  for await (const { key, contact, address, stamp, at, detail } of readEventRows(
    db,
    olderBehind(reported, behind),
    query,
  )) {
    const id = contact === null ? null : formatContactId(contact)
    yield { id, address, stamp, at: at.toISOString(), detail, [place]: key }
  }
}
