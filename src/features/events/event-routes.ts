import type { FastifyRequest } from 'fastify'
import { type TProperties, Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { PageQuery } from '../../http/resource/list.ts'
import { accepts, NDJSON } from '../../lib/accepts.ts'
import { badRequest } from '../../lib/errors/problem.ts'
import { readInstant } from '../../lib/time/period.ts'
import { readZone as zoneNamed } from '../../lib/time/zones.ts'
import { pathContact } from '../contacts/records/contact-request.ts'
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
  TimelinePage,
  TimelineQuery,
} from './event-schemas.ts'
import { sendEvents } from './history/answer.ts'
import type { Selection } from './history/filters.ts'
import { type Buckets, summarise } from './history/reactivities.ts'
import { readRequest } from './history/reading.ts'
import { type EventList, listsOf, type Scope, type Subject, scopes } from './history/scopes.ts'
import type { Query } from './history/subjects.ts'
import { readTimeline } from './history/timeline.ts'

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

/** Everything of one contact in one order, for people. */
function timelineRoute(app: App, { db }: Context): void {
  app.get('/targets/:id/timeline', {
    config: { right: 'read' },
    schema: {
      tags: ['targets events'],
      summary: 'what was sent to a contact and what it did, on every channel, newest first',
      params: Type.Object({ id: Type.String() }),
      querystring: TimelineQuery,
      response: { 200: TimelinePage },
    },
    handler: ({ account, params, query }) => readTimeline(db, { account, contact: pathContact(params) }, query),
  })
}

/** Registers every list of events and reactivities, from the one table, and the timeline of a contact. */
export function eventRoutes(app: App, context: Context): void {
  const { db } = context
  timelineRoute(app, context)
  for (const list of scopes.flatMap(listsOf)) {
    app.get(list.path, { config: { right: 'read' }, schema: schemaOf(list) }, async (request: ListOfEvents, reply) => {
      const { account, params, query } = request
      const { reading, selection, completeUntil } = await readRequest(db, { account, list, id: params.id ?? '', query })
      if (isSummary(list.scope, request)) return reply.type(SUMMARY).send(await summaryOf(selection, query))
      return sendEvents(db, { request, reply }, { reading, completeUntil })
    })
  }

  async function summaryOf(selection: Selection, query: Query) {
    const buckets = readBuckets(query)
    const { activations, kinds } = await summarise(db, selection, buckets)
    return { filters: shownFilters(query), bucket: buckets?.unit ?? null, zone: readZone(query), activations, kinds }
  }
}

function isSummary(scope: Scope, request: FastifyRequest): boolean {
  return scope.view === 'reactivities' && accepts(request, SUMMARY)
}

/** The zone of the buckets; offsets are none, PostgreSQL reads their sign the other way round. */
function readZone({ zone = 'UTC' }: Query): string {
  if (typeof zone === 'string' && /^[A-Za-z]/.test(zone) && zoneNamed(zone) !== undefined) return zone
  throw badRequest('zone', 'must be an IANA time zone such as Europe/Paris')
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
