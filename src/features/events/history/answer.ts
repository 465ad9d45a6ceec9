import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../../database/connection/connect.ts'
import { acceptsMediaType, NDJSON_MEDIA_TYPE } from '../../../lib/accepts.ts'
import { createEagerStream } from '../../../lib/files/eager-stream.ts'
import { setAnswerIdleTimeout } from '../../../lib/net/idle-timeout.ts'
import {
  jsonArrayFraming,
  jsonLinesFraming,
  type RecordFraming,
  readEventRecordPage,
  streamEventRecords,
} from './history.ts'
import type { EventReading } from './readings.ts'

/** A request for events and its answer. */
export interface EventListExchange {
  request: Pick<FastifyRequest, 'headers' | 'url'> & { query: Readonly<Record<string, unknown>> }
  reply: FastifyReply
}

/**
 * Answers with events: with `limit` a page whose successor is in `Link` (RFC 8288), else the whole list as it is read;
 * an array, or one record a line.
 */
export async function sendEventList(
  db: Db,
  { request, reply }: EventListExchange,
  { reading, completeUntil }: { reading: EventReading; completeUntil: number },
): Promise<FastifyReply> {
  const isNdjson = acceptsMediaType(request, NDJSON_MEDIA_TYPE)
  const framing = isNdjson ? jsonLinesFraming : jsonArrayFraming
  reply
    .type(isNdjson ? NDJSON_MEDIA_TYPE : 'application/json; charset=utf-8')
    .header('x-events-complete-until', completeUntil)
  if (reading.selections.length === 0) return reply.send(framing.empty)
  const { limit } = request.query
  if (typeof limit !== 'number') {
    const text = await createEagerStream(streamEventRecords(db, reading, framing))
    setAnswerIdleTimeout(reply.raw)
    return reply.send(text)
  }
  const page = await readEventRecordPage(db, reading, limit, framing.between)
  const { last } = page
  if (
    last !== undefined &&
    (await readEventRecordPage(db, { ...reading, after: last }, 1, framing.between)).count > 0
  ) {
    reply.header('link', buildNextLink(request.url, last))
  }
  if (page.count === 0) return reply.send(framing.empty)
  const text = page.text()
  return reply.send(typeof text === 'string' ? framing.before + text + framing.after : frameText(text, framing))
}

function frameText(text: Buffer, { before, after }: RecordFraming): Buffer {
  return Buffer.concat([Buffer.from(before), text, Buffer.from(after)])
}

function buildNextLink(url: string, after: string): string {
  const [path, query] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('after', after)
  return `<${path}?${parameters}>; rel="next"`
}
