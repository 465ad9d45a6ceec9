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

/** Filter of one stream; empty sets and undefined select all. */
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

function parseWords(
  name: string,
  wordLists: readonly string[] | undefined,
  allowedWords: readonly string[],
): Set<string> {
  const parsedWords = (wordLists ?? [])
    .flatMap((text) => text.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const unknownWord = parsedWords.find((word) => !allowedWords.includes(word))
  if (unknownWord !== undefined)
    throw badRequestProblem(name, `"${unknownWord}" is not one of ${allowedWords.join(', ')}`)
  return new Set(parsedWords)
}

/** Reads the filter of a stream. Throws 400 for an unknown word, 404 for an unknown or foreign action or contact. */
export async function parseEventStreamFilter(
  db: Db,
  account: AccountId,
  query: EventStreamQuery,
): Promise<EventStreamFilter> {
  const eventNames = parseWords('events', query.events, webhookEventNames)
  const selectedChannels = parseWords('channels', query.channels, eventChannels)
  const classes = parseHitClasses(query.classification ?? [])
  const subjectQuery = (id: string) => ({ account, channels: eventChannels, id, query: {} })
  const action =
    query.action === undefined ? undefined : await resolveEventSubject(db, 'action', subjectQuery(query.action))
  const contact =
    query.contact === undefined ? undefined : await resolveEventSubject(db, 'contact', subjectQuery(query.contact))
  const actionChannels = action?.channels?.filter(
    (channel) => selectedChannels.size === 0 || selectedChannels.has(channel),
  )
  if (actionChannels?.length === 0) throw badRequestProblem('channels', 'does not include the channel of the action')
  return {
    words: eventNames,
    channels: new Set(actionChannels ?? selectedChannels),
    classes,
    subject: action?.subject,
    contact: contact?.contact,
  }
}

/** The types of notices that a stream asks for. */
export function listStreamNoticeTypes({ words }: EventStreamFilter): NoticeType[] {
  return noticeTypes.filter((type) => words.has(type))
}

/** True if a stream carries anything in addition to events of messages. */
export function hasStreamNotices(filter: EventStreamFilter): boolean {
  return filter.words.has('custom') || listStreamNoticeTypes(filter).length > 0
}

/** True if a stream carries an event. */
export function matchesStreamEvent(
  { words, channels: of, classes, subject, contact }: EventStreamFilter,
  event: EventPublication,
): boolean {
  const [rootKind = ''] = event.kind.split('/')
  return (
    (words.size === 0 || words.has(event.kind) || words.has(rootKind)) &&
    (of.size === 0 || of.has(event.channel)) &&
    (!isClassifiedKind(event.kind) || classes === 'all' || classes.of.has(event.classification)) &&
    (subject === undefined || subject === event.subject) &&
    (contact === undefined || contact === event.contact)
  )
}

/** True if a stream carries a notice: only the types it names, and none if it is limited to an action. */
export function matchesStreamNotice({ words, subject, contact }: EventStreamFilter, notice: StreamedNotice): boolean {
  return words.has(notice.type) && subject === undefined && (contact === undefined || contact === notice.contact)
}
