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

/** The source of the list for a number: messages, contacts with any of some events, or these events. */
type ContactListSource =
  | { type: 'messages'; where: (events: RawBuilder<unknown>) => RawBuilder<unknown> }
  | { type: 'contacts'; kinds: readonly EventKind[]; link?: number }
  | { type: 'events'; kinds: readonly EventKind[] }
  | ({ type: 'rows' } & ReportEventRows)

const reactionMeasures: readonly ReportMeasure[] = ['opens', 'clicks']
const reportedMeasures: readonly ReportMeasure[] = ['unsubscribes', 'complaints', 'replies', 'bounces']

/** Reads the word of a number. Throws 400 for one that has no list. */
async function parseListSource(db: Db, of: string, reported: ReportSubject): Promise<ContactListSource> {
  const [measureName = '', ...argumentParts] = of.split(':')
  const measureArgument = argumentParts.length === 0 ? undefined : argumentParts.join(':')
  if (measureName === 'version' && measureArgument !== undefined) {
    const versionCondition = await isVersionMessageSql(db, reported, measureArgument)
    if (versionCondition) return { type: 'messages', where: () => versionCondition }
  }
  if (measureName === 'goal' && measureArgument !== undefined) {
    const goalRows = await goalContactRows(db, reported, measureArgument)
    if (goalRows) return { type: 'rows', ...goalRows }
  }
  if (measureName === 'cancelled' && measureArgument !== undefined) {
    const type = sql`coalesce(o.detail, 'unknown') = ${measureArgument}`
    return { type: 'messages', where: () => sql`o.outcome = 'cancelled' and ${type}` }
  }
  if (measureName === 'link' && measureArgument !== undefined && /^\d{1,9}$/.test(measureArgument))
    return { type: 'contacts', kinds: reportMeasures.clicks, link: Number(measureArgument) }
  if (measureArgument === undefined) {
    if (measureName === 'holdout') return { type: 'rows', wanted: [], rows: () => heldOutContactRows(reported) }
    if (measureName === 'audience') return { type: 'messages', where: () => sql`true` }
    if (measureName === 'delivered' && hasArrivalEvents(reported))
      return {
        type: 'messages',
        where: (events) => sql`o.outcome = 'sent' and ${isDeliveredMessageSql(events, reported)}`,
      }
    if (messageOutcomes.some((outcome) => outcome === measureName))
      return { type: 'messages', where: () => sql`o.outcome = ${measureName}` }
    const measure = [...reactionMeasures, ...reportedMeasures].find((name) => name === measureName)
    if (measure)
      return { type: reactionMeasures.includes(measure) ? 'contacts' : 'events', kinds: reportMeasures[measure] }
  }
  throw badRequestProblem(
    'of',
    `must be audience, delivered (not for push), ${messageOutcomes.join(', ')}, cancelled:{type}, ${[...reactionMeasures, ...reportedMeasures].join(', ')}, link:{id}, holdout, version:{id}, goal:{id} or goal:holdout of its experiment`,
  )
}

/** The text of a reaction. */
const reactionTextSql = sql`coalesce(e.detail #>> '{bounce,status,diagnostic}', e.detail #>> '{reply,text}', e.detail #>> '{complaint,feedback}',
  e.detail #>> '{link,url}', e.detail #>> '{interaction,link,url}')`

/** The events that a list is read from. */
function listOlderEvents(reported: ReportSubject, behind: ContactListSource): readonly EventReadScope[] {
  if (behind.type === 'rows') return behind.wanted
  return [olderReportEventsSql(reported, behind.type === 'messages' ? outcomeEventKinds : behind.kinds)]
}

/** Rows of the events that are given: key, contact, address, stamp, at, detail. */
function selectListRows(
  eventsSql: RawBuilder<unknown>,
  reported: ReportSubject,
  behind: ContactListSource,
): RawBuilder<unknown> {
  if (behind.type === 'messages')
    return sql`
      select o.stamp::text as key, o.contact, o.address, o.stamp, o.at, o.detail from (${messageOutcomeRowsSql(eventsSql, reported)}) o where ${behind.where(eventsSql)}`
  if (behind.type === 'rows') return behind.rows(eventsSql)
  const { kinds } = behind
  const events = sql`${eventsSql} e where ${isReportEventSql(eventsSql, reported)} and e.kind = any(${kinds}::text[])
    and e.classification is null and e.activation_at is not null`
  const address = sql`e.detail #>> '{activation,recipient}'`
  if (behind.type === 'events')
    return sql`select e.id::text as key, e.contact, ${address} as address, e.stamp, e.at, ${reactionTextSql} as detail from ${events}`
  const link =
    behind.link === undefined
      ? sql``
      : sql`and coalesce(e.detail #>> '{link,id}', e.detail #>> '{interaction,link,id}', '0') = ${String(behind.link)}`
  return sql`
    select distinct on (e.contact) lpad(e.contact::text, 19, '0') as key, e.contact, ${address} as address, e.stamp, e.at, ${reactionTextSql} as detail
    from ${events} ${link} and e.contact is not null order by e.contact, e.at`
}

interface ReportContactRow extends Omit<ReportContactResource, 'id' | 'at'> {
  key: string
  contact: number | null
  at: Date
}

const positionSymbol = Symbol('place')
export type ListedReportContact = ReportContactResource & { [positionSymbol]: string }
export const reportContactCursor = (listed: ListedReportContact): string => listed[positionSymbol]

/**
 * The messages, contacts or events behind a number of a report, each with its contact, in an order of their own. As many as
 * the number says: of opens, clicks and links that of different contacts. Throws 400 for a word that has no list.
 */
export async function* listReportContacts(
  db: Db,
  reported: ReportSubject,
  { of, after, limit }: { of: string; after: string | undefined; limit: number | undefined },
): AsyncGenerator<ListedReportContact> {
  const listSource = await parseListSource(db, of, reported)
  const query = (events: RawBuilder<unknown>) => sql<ReportContactRow>`
    select key, contact, nullif(address, '') as address, stamp, at, detail from (${selectListRows(events, reported, listSource)}) b
    where ${after ?? null}::text is null or key collate "C" > ${after ?? null}::text
    order by key collate "C" limit ${limit ?? null}::integer`
  for await (const { key, contact, address, stamp, at, detail } of readEventRows(
    db,
    listOlderEvents(reported, listSource),
    query,
  )) {
    const id = contact === null ? null : formatContactId(contact)
    yield { id, address, stamp, at: at.toISOString(), detail, [positionSymbol]: key }
  }
}
