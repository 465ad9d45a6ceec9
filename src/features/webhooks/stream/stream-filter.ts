import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequest } from '../../../lib/errors/problem.ts'
import { type ClassFilter, readClasses } from '../../events/history/filters.ts'
import { resolveSubject } from '../../events/history/subjects.ts'
import { channels, isClassed } from '../../events/kinds/event-kinds.ts'
import type { Publication } from '../../events/kinds/publication.ts'
import { type NoticeType, noticeTypes } from '../../notices/notices.ts'
import { eventWords } from '../webhook-schemas.ts'

/** The members of a change notice, or of an event published by name, that decide whether a stream carries it. */
export interface PublishedNotice {
  id: string
  account: AccountId
  type: NoticeType | 'custom'
  contact: number | null
}

/** What one stream carries; empty sets and undefined select all. */
export interface StreamFilter {
  words: ReadonlySet<string>
  channels: ReadonlySet<string>
  classes: ClassFilter
  /** Number of the action. */
  subject: number | undefined
  contact: number | undefined
}

/** The query of a stream: a repeated name is an array. */
export type StreamQuery = Readonly<Record<'events' | 'channels' | 'classification', readonly string[] | undefined>> & {
  action?: string | undefined
  contact?: string | undefined
}

function readWords(name: string, given: readonly string[] | undefined, known: readonly string[]): Set<string> {
  const words = (given ?? [])
    .flatMap((text) => text.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const unknown = words.find((word) => !known.includes(word))
  if (unknown !== undefined) throw badRequest(name, `"${unknown}" is not one of ${known.join(', ')}`)
  return new Set(words)
}

/** Reads the filter of a stream. Throws 400 for an unknown word, 404 for an unknown or foreign action or contact. */
export async function readFilter(db: Db, account: AccountId, query: StreamQuery): Promise<StreamFilter> {
  const words = readWords('events', query.events, eventWords)
  const wanted = readWords('channels', query.channels, channels)
  const classes = readClasses(query.classification ?? [])
  const of = (id: string) => ({ account, channels, id, query: {} })
  const action = query.action === undefined ? undefined : await resolveSubject(db, 'action', of(query.action))
  const contact = query.contact === undefined ? undefined : await resolveSubject(db, 'contact', of(query.contact))
  const own = action?.channels?.filter((channel) => wanted.size === 0 || wanted.has(channel))
  if (own?.length === 0) throw badRequest('channels', 'leaves out the channel of the action')
  return { words, channels: new Set(own ?? wanted), classes, subject: action?.subject, contact: contact?.contact }
}

/** The types of notices that a stream asks for. */
export function noticesWanted({ words }: StreamFilter): NoticeType[] {
  return noticeTypes.filter((type) => words.has(type))
}

/** Whether a stream carries anything beside events of messages. */
export function wantsNotices(filter: StreamFilter): boolean {
  return filter.words.has('custom') || noticesWanted(filter).length > 0
}

/** Whether a stream carries an event. */
export function carries({ words, channels: of, classes, subject, contact }: StreamFilter, event: Publication): boolean {
  const [root = ''] = event.kind.split('/')
  return (
    (words.size === 0 || words.has(event.kind) || words.has(root)) &&
    (of.size === 0 || of.has(event.channel)) &&
    (!isClassed(event.kind) || classes === 'all' || classes.of.has(event.classification)) &&
    (subject === undefined || subject === event.subject) &&
    (contact === undefined || contact === event.contact)
  )
}

/** Whether a stream carries a notice: those it names, and none when it is about an action. */
export function carriesNotice({ words, subject, contact }: StreamFilter, notice: PublishedNotice): boolean {
  return words.has(notice.type) && subject === undefined && (contact === undefined || contact === notice.contact)
}
