import type { Db } from '../../database/connect.ts'
import { type EventWithRecord, readRecords } from '../events/records.ts'
import { type Notice, noticesOf } from '../notices/reading.ts'

/** An event or a notice as receivers see it. */
export interface Told {
  id: string
  /** `email.hits.open`, `target.updated`. */
  type: string
  at: Date
  /** The record, as JSON. */
  text: string
}

/** The type of an event in the words of receivers: channel and kind, parted by dots. */
export function typeOfEvent({ channel, kind }: Pick<EventWithRecord, 'channel' | 'kind'>): string {
  return `${channel}.${kind.replaceAll('/', '.')}`
}

function toldEvent({ id, at, text, ...event }: EventWithRecord): Told {
  return { id, type: typeOfEvent(event), at, text }
}

export function toldNotice(notice: Notice): Told {
  return { id: notice.id, type: notice.type, at: new Date(notice.timestamp), text: JSON.stringify(notice) }
}

/** Events and notices by their ids; retention may have taken some. */
export async function readTold(db: Db, ids: readonly string[]): Promise<Map<string, Told>> {
  const events = await readRecords(db, ids)
  const found = new Set(events.map(({ id }) => id))
  const notices = await noticesOf(
    db,
    ids.filter((id) => !found.has(id)),
  )
  return new Map([...events.map(toldEvent), ...notices.map(toldNotice)].map((told) => [told.id, told]))
}

function envelope(type: string, at: Date, data: string): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${at.toISOString()}","data":${data}}`
}

/** The body for one event. */
export function bodyOfOne({ type, at, text }: Told): string {
  return envelope(type, at, text)
}

/** The body for a batch, oldest first; `at`: when it was put together. */
export function bodyOfBatch(batch: readonly Told[], at: Date): string {
  return envelope('events', at, `[${batch.map(({ text }) => text).join(',')}]`)
}

/** What a webhook is sent to try it out. */
export function bodyOfTest(webhook: string, at: Date): string {
  return envelope('test', at, JSON.stringify({ webhook }))
}
