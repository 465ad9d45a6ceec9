import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { type EventWithRecord, readEventRecords } from '../events/history/records.ts'
import { type Notice, readNoticesById } from '../notices/reading.ts'

/** An event or a notice as receivers see it. */
export interface WebhookRecord {
  id: string
  /** `email.hits.open`, `target.updated`. */
  type: string
  /** The name by which webhooks want it: `hits/open`, `target.updated`. */
  event: string
  at: Date
  /** The record, as JSON. */
  text: string
}

/** 1: the record is as in histories. 2: it has its name and an ISO 8601 date too, and no name of events means all. */
export type WebhookVersion = 1 | 2

/** The type of an event as receivers see it: channel and kind, separated by dots. */
export function webhookEventType({ channel, kind }: Pick<EventWithRecord, 'channel' | 'kind'>): string {
  return `${channel}.${kind.replaceAll('/', '.')}`
}

function toWebhookRecord({ id, at, text, ...event }: EventWithRecord): WebhookRecord {
  return { id, type: webhookEventType(event), event: event.kind, at, text }
}

export function webhookRecordFromNotice(notice: Notice): WebhookRecord {
  const { id, type, timestamp } = notice
  return { id, type, event: type, at: new Date(timestamp), text: JSON.stringify(notice) }
}

/** Events of these accounts, and notices, by their ids; those past retention are missing. */
export async function readWebhookRecords(
  db: Db,
  ids: readonly string[],
  accounts: readonly AccountId[],
): Promise<Map<string, WebhookRecord>> {
  const events = await readEventRecords(db, ids, accounts)
  const foundIds = new Set(events.map(({ id }) => id))
  const notices = await readNoticesById(
    db,
    ids.filter((id) => !foundIds.has(id)),
  )
  return new Map(
    [...events.map(toWebhookRecord), ...notices.map(webhookRecordFromNotice)].map((record) => [record.id, record]),
  )
}

function wrapInEnvelope(type: string, at: Date, data: string): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${at.toISOString()}","data":${data}}`
}

function formatData({ event, at, text }: WebhookRecord, version: WebhookVersion): string {
  return version === 1 ? text : `{"event":"${event}","date":"${at.toISOString()}",${text.trimStart().slice(1)}`
}

/** The body for one event. */
export function buildWebhookEventBody(record: WebhookRecord, version: WebhookVersion): string {
  return wrapInEnvelope(record.type, record.at, formatData(record, version))
}

/** The body for a batch, oldest first; `at`: when it was formed. */
export function buildWebhookBatchBody(batch: readonly WebhookRecord[], at: Date, version: WebhookVersion): string {
  return wrapInEnvelope('events', at, `[${batch.map((record) => formatData(record, version)).join(',')}]`)
}

/** The body that tests a webhook. */
export function buildWebhookTestBody(webhook: string, at: Date): string {
  return wrapInEnvelope('test', at, JSON.stringify({ webhook }))
}
