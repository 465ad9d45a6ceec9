import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { type HitClassFilter, parseHitClasses } from '../../events/history/filters.ts'
import { resolveEventSubject } from '../../events/history/subjects.ts'
import { eventChannels, isClassifiedKind } from '../../events/kinds/event-kinds.ts'
import type { EventPublication } from '../../events/kinds/publication.ts'
import { type NoticeType, noticeTypes } from '../../notices/notices.ts'
import { webhookEventNames } from '../webhook-schemas.ts'

/** The members of a change notice, or of an event published by name, that decide whether a stream carries it. */
export interface StreamedNotice {
  id: string
  account: AccountId
  type: NoticeType | 'custom'
  contact: number | null
}

/** What one stream carries; empty sets and undefined select all. */
export interface EventStreamFilter {
  words: ReadonlySet<string>
  channels: ReadonlySet<string>
  classes: HitClassFilter
  /** Number of the action. */
  subject: number | undefined
  contact: number | undefined
}

/** The query of a stream: a repeated name is an array. */
export type EventStreamQuery = Readonly<
  Record<'events' | 'channels' | 'classification', readonly string[] | undefined>
> & {
  action?: string | undefined
  contact?: string | undefined
}

function readWords(name: string, given: readonly string[] | undefined, known: readonly string[]): Set<string> {
  const words = (given ?? [])
    .flatMap((text) => text.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const unknown = words.find((word) => !known.includes(word))
  if (unknown !== undefined) throw badRequestProblem(name, `"${unknown}" is not one of ${known.join(', ')}`)
  return new Set(words)
}

/** Reads the filter of a stream. Throws 400 for an unknown word, 404 for an unknown or foreign action or contact. */
export async function parseEventStreamFilter(
  db: Db,
  account: AccountId,
  query: EventStreamQuery,
): Promise<EventStreamFilter> {
  const words = readWords('events', query.events, webhookEventNames)
  const wanted = readWords('channels', query.channels, eventChannels)
  const classes = parseHitClasses(query.classification ?? [])
  const of = (id: string) => ({ account, channels: eventChannels, id, query: {} })
  const action = query.action === undefined ? undefined : await resolveEventSubject(db, 'action', of(query.action))
  const contact = query.contact === undefined ? undefined : await resolveEventSubject(db, 'contact', of(query.contact))
  const own = action?.channels?.filter((channel) => wanted.size === 0 || wanted.has(channel))
  if (own?.length === 0) throw badRequestProblem('channels', 'leaves out the channel of the action')
  return { words, channels: new Set(own ?? wanted), classes, subject: action?.subject, contact: contact?.contact }
}

/** The types of notices that a stream asks for. */
export function listStreamNoticeTypes({ words }: EventStreamFilter): NoticeType[] {
  return noticeTypes.filter((type) => words.has(type))
}

/** Whether a stream carries anything beside events of messages. */
export function hasStreamNotices(filter: EventStreamFilter): boolean {
  return filter.words.has('custom') || listStreamNoticeTypes(filter).length > 0
}

/** Whether a stream carries an event. */
export function matchesStreamEvent(
  { words, channels: of, classes, subject, contact }: EventStreamFilter,
  event: EventPublication,
): boolean {
  const [root = ''] = event.kind.split('/')
  return (
    (words.size === 0 || words.has(event.kind) || words.has(root)) &&
    (of.size === 0 || of.has(event.channel)) &&
    (!isClassifiedKind(event.kind) || classes === 'all' || classes.of.has(event.classification)) &&
    (subject === undefined || subject === event.subject) &&
    (contact === undefined || contact === event.contact)
  )
}

/** Whether a stream carries a notice: those it names, and none when it is about an action. */
export function matchesStreamNotice({ words, subject, contact }: EventStreamFilter, notice: StreamedNotice): boolean {
  return words.has(notice.type) && subject === undefined && (contact === undefined || contact === notice.contact)
}
