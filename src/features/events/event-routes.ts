import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TProperties, Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { PageQuery } from '../../http/list.ts'
import { readInstant } from '../../lib/period.ts'
import { badRequest } from '../../lib/problem.ts'
import {
  ClassFilters,
  ContactQuery,
  EventRecord,
  LookupQuery,
  PeriodBounds,
  ReactivityBounds,
  ReactivitySummary,
  Sort,
  StampQuery,
  SummaryForm,
} from './event-schemas.ts'
import { jsonArray, jsonLines, type Reading, readPage, readText } from './history.ts'
import { type Buckets, summarise } from './reactivities.ts'
import { readRequest } from './reading.ts'
import { type EventList, listsOf, type Scope, type Subject, scopes } from './scopes.ts'
import type { Query } from './subjects.ts'

const NDJSON = 'application/x-ndjson'
const SUMMARY = 'application/vnd.reactivity.summary+json'

/** The subjects of lists in the reference. */
const whose: Record<Subject, string> = {
  none: 'everything sent',
  action: 'one action',
  rcsAction: 'one RCS action',
  notification: 'one notification',
  contact: 'one contact',
  contactQuery: 'the contact of the query',
  stamp: 'one send or one conversation',
  phone: 'a phone and an agent, newest first',
  displayCampaign: 'one display campaign',
  displayPlacement: 'one placement',
  displayContent: 'one display content',
}

type ListOfEvents = FastifyRequest<{ Params: { id?: string }; Querystring: Query }>

/** Registers every list of events and reactivities, from the one table. */
export function eventRoutes(app: App, { db }: Context): void {
  for (const list of scopes.flatMap(listsOf)) {
    app.get(list.path, { config: { right: 'read' }, schema: schemaOf(list) }, async (request: ListOfEvents, reply) => {
      const { account, params, query } = request
      const { reading, completeUntil } = await readRequest(db, { account, list, id: params.id ?? '', query })
      if (isSummary(list.scope, request)) return reply.type(SUMMARY).send(await summaryOf(reading, query))
      reply.header('x-events-complete-until', completeUntil)
      return sendEvents(request, reply, reading)
    })
  }

  async function summaryOf({ selection }: Reading, query: Query) {
    const buckets = readBuckets(query)
    const { activations, kinds } = await summarise(db, selection, buckets)
    return { filters: shownFilters(query), bucket: buckets?.unit ?? null, zone: readZone(query), activations, kinds }
  }

  /** With `limit` a page whose successor is in `Link` (RFC 8288), else the whole list as it is read. */
  async function sendEvents(request: ListOfEvents, reply: FastifyReply, reading: Reading): Promise<FastifyReply> {
    const isLines = accepts(request, NDJSON)
    const framing = isLines ? jsonLines : jsonArray
    reply.type(isLines ? NDJSON : 'application/json; charset=utf-8')
    const { limit } = request.query
    if (typeof limit !== 'number') return sendText(reply, readText(db, reading, framing))
    const { text, last } = await readPage(db, reading, limit, framing.between)
    if (last !== undefined && (await hasMore({ ...reading, after: last })))
      reply.header('link', nextLink(request.url, last))
    return reply.send(text === '' ? framing.empty : framing.before + text + framing.after)
  }

  async function hasMore(reading: Reading): Promise<boolean> {
    return (await readPage(db, reading, 1, '')).count > 0
  }
}

/** The first piece is awaited before the headers go, so that an error at the start is a problem document. */
async function sendText(reply: FastifyReply, text: AsyncGenerator<string>): Promise<FastifyReply> {
  const first = await text.next()
  return reply.send(Readable.from(resumed(first, text), { objectMode: false }))
}

async function* resumed(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done || first.value === '') return
  yield first.value
  yield* rest
}

function accepts({ headers }: FastifyRequest, type: string): boolean {
  return (headers.accept ?? '').toLowerCase().includes(type)
}

function isSummary(scope: Scope, request: FastifyRequest): boolean {
  return scope.view === 'reactivities' && accepts(request, SUMMARY)
}

function nextLink(url: string, after: string): string {
  const [path, query] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('after', after)
  return `<${path}?${parameters}>; rel="next"`
}

/** The zone of the buckets; offsets are none, PostgreSQL reads their sign the other way round. */
function readZone({ zone = 'UTC' }: Query): string {
  if (typeof zone === 'string' && /^[A-Za-z]/.test(zone) && isZone(zone)) return zone
  throw badRequest('zone', 'must be an IANA time zone such as Europe/Paris')
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** The bounds as they were read; null where a side is open. */
function shownFilters(query: Query): Record<string, string | null> {
  const shown = (name: string): [string, string | null] => {
    const instant = readInstant(query[name])
    return [name, instant === undefined ? null : new Date(instant).toISOString()]
  }
  return Object.fromEntries(Object.keys(ReactivityBounds).map(shown))
}

/** What the query of a list may hold. */
function queryOf({ view, subject }: Scope): TProperties {
  const { limit, after } = PageQuery.properties
  const page = { limit, after }
  if (view === 'reactivities') return { ...ReactivityBounds, ...Sort, ...ClassFilters, ...SummaryForm, ...page }
  if (subject === 'stamp') return { ...StampQuery, ...ClassFilters }
  if (subject === 'phone') return { ...LookupQuery, ...PeriodBounds, ...ClassFilters, ...page }
  const contact = subject === 'contactQuery' ? ContactQuery : {}
  return { ...contact, ...PeriodBounds, ...Sort, ...ClassFilters, ...page }
}

function schemaOf({ scope, suffix, path }: EventList) {
  const isByPath = path.includes('/:id/')
  const records = { [NDJSON]: { schema: EventRecord }, 'application/json': { schema: Type.Array(EventRecord) } }
  const summary = { [SUMMARY]: { schema: ReactivitySummary } }
  return {
    tags: [`${scope.path.split('/')[1]} ${scope.view}`],
    summary: `${suffix || 'all'} ${scope.view} of ${whose[scope.subject]}`,
    querystring: Type.Object(queryOf(scope)),
    ...(isByPath && { params: Type.Object({ id: Type.String() }) }),
    response: {
      200: { description: 'in order', content: scope.view === 'events' ? records : { ...records, ...summary } },
    },
  }
}

function readBuckets(query: Query): Buckets | undefined {
  const { bucket } = query
  return bucket === 'hour' || bucket === 'day' ? { unit: bucket, zone: readZone(query) } : undefined
}
