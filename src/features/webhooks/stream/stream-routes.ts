import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { badRequestProblem, Problem } from '../../../lib/errors/problem.ts'
import { createUuidV7, parseUuid } from '../../../lib/ids.ts'
import { listStreamNoticeTypes, parseEventStreamFilter } from './stream-filter.ts'
import { enableStreamNotices } from './stream-notices.ts'
import { createEventStreams } from './streams.ts'

const MAX_RESUME_AGE_MS = 24 * 3600 * 1000
/** An event may appear this long after its timestamp. */
const MAX_EVENT_DELAY_MS = 20_000

const wordListSchema = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

const StreamQuery = Type.Object({
  events: wordListSchema(
    'Events to stream: kinds, each including all kinds below it, `custom`, and types of change notices; separated by commas or repeated. Default: all kinds.',
  ),
  channels: wordListSchema('Channels to stream, separated by commas or repeated. Default: all.'),
  classification: wordListSchema(
    'Classes of hits and interactions to stream: `human` (same as `none`), `mpp` (Mail Privacy Protection of Apple), `gsr` (automatic requests of Google), `genericrobot` (any other robot), or `all`; separated by commas or repeated. Default: `human`.',
  ),
  action: Type.Optional(
    Type.String({
      description: 'Only events of the action with this ID. Change notices and custom events are left out.',
    }),
  ),
  contact: Type.Optional(Type.String({ description: 'Only events of the contact with this ID.' })),
})

/** The id after which a stream resumes: 20 s before the last event received. Throws 400 for an invalid id, 410 beyond 24 h. */
function parseResumeCursor(lastEventId: string | string[] | undefined, now: number): string | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined
  const id = parseUuid(String(lastEventId))
  if (id?.[14] !== '7') throw badRequestProblem('Last-Event-ID', 'is not the id of an event')
  const eventTime = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  if (eventTime < now - MAX_RESUME_AGE_MS)
    throw new Problem(
      410,
      'stream-too-old',
      'A stream can resume up to 24 hours back. Read the history, and open a new stream.',
    )
  return createUuidV7(eventTime - MAX_EVENT_DELAY_MS)
}

/** `GET /events/stream`: Server-Sent Events (HTML standard, 9.2). */
export function eventStreamRoutes(app: HttpApp, { db, log, clock }: ServiceContext): void {
  const streams = createEventStreams({ db, log, clock })
  app.addHook('preClose', () => streams.close())
  app.get('/events/stream', {
    config: { right: 'read' },
    exposeHeadRoute: false,
    schema: {
      tags: ['events'],
      summary: 'Stream the events',
      operationId: 'streamEvents',
      refusals: { 410: 'stream-too-old', 429: 'too-many-streams' },
      answerTypes: { 200: ['text/event-stream'] },
      description:
        'Server-Sent Events with `id`, `event` (the type) and `data` (the record), as they are published. `Last-Event-ID` resumes up to 24 hours back and may repeat up to 20 seconds of events: drop the IDs you already have. A reader that is 1 MiB behind is disconnected and can resume. An account can open 20 streams; more are refused with 429.',
      querystring: StreamQuery,
    },
    handler: async (request, reply) => {
      const { account, query, headers } = request
      const afterId = parseResumeCursor(headers['last-event-id'], clock.now())
      const { events, channels, classification, action, contact } = query
      const filter = await parseEventStreamFilter(db, account, { events, channels, classification, action, contact })
      await enableStreamNotices(db, account, listStreamNoticeTypes(filter), new Date(clock.now()))
      const outputStream = await streams.open(account, filter, afterId)
      reply.raw.on('close', () => outputStream.destroy())
      return reply.type('text/event-stream; charset=utf-8').header('cache-control', 'no-store').send(outputStream)
    },
  })
}
