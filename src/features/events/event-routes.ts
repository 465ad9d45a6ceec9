import type { FastifyRequest } from 'fastify'
import { type TProperties, Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { ListPageQuery } from '../../http/resource/list.ts'
import { acceptsMediaType, NDJSON_MEDIA_TYPE } from '../../lib/accepts.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { parseInstant } from '../../lib/time/period.ts'
import { parseTimeZone as zoneNamed } from '../../lib/time/zones.ts'
import { parseContactPath } from '../contacts/records/contact-request.ts'
import {
  ContactEventsQuery,
  EventPeriodParams,
  EventSortParams,
  HitClassParams,
  PhoneEventsQuery,
  PublishedEventRecord,
  ReactivityBounds,
  ReactivitySummary,
  ReactivitySummaryParams,
  StampEventsQuery,
  TimelinePage,
  TimelineQuery,
} from './event-schemas.ts'
import { sendEventList } from './history/answer.ts'
import type { EventSelection } from './history/filters.ts'
import { type SummaryBuckets, summarizeReactivities } from './history/reactivities.ts'
import { parseEventRequest } from './history/reading.ts'
import {
  type EventList,
  type EventListScope,
  type EventListSubject,
  eventListScopes,
  expandEventLists,
} from './history/scopes.ts'
import type { EventListQuery } from './history/subjects.ts'
import { readTimeline } from './history/timeline.ts'

const SUMMARY_MEDIA_TYPE = 'application/vnd.reactivity.summary+json'

/** The subjects of lists in the reference. Lists without one are of everything on their channels. */
const subjectDescriptions: Record<Exclude<EventListSubject, 'none'>, string> = {
  action: 'an action',
  rcsAction: 'an RCS action',
  notification: 'a notification',
  contact: 'a contact',
  contactQuery: 'the contact in the query',
  stamp: 'an RCS message or thread',
  phone: 'a phone number and an agent',
  displayCampaign: 'a display campaign',
  displayPlacement: 'a placement',
  displayContent: 'a display content',
}

/** The subjects of lists of everything, by the first of their channels. */
const channelDescriptions: Record<string, string> = {
  email: 'email and SMS messages',
  rcs: 'RCS messages',
  notification: 'notifications',
  display: 'display contents',
}

/** The suffixes of lists that are not their own names in the reference. */
const kindDescriptions: Record<string, string> = {
  'hits/form': 'form responses',
  'hits/mirror': 'mirror page views',
  'hits/open': 'opens',
  'hits/redirection': 'clicks',
  'hits/unsubscribe': 'unsubscriptions',
  'interactions/read': 'reads',
  optouts: 'opt-outs',
  'responses/stop': 'STOP replies',
}

const EVENTS_DESCRIPTION =
  'Returns the events by ascending timestamp, or in the order of `sort`; with `Accept: application/x-ndjson`, one event a ' +
  'line. Hits and interactions of robots are left out unless `classification` includes them. Events of test ' +
  'messages are included.'
const REACTIVITIES_DESCRIPTION =
  'Returns each reaction with the activation it belongs to; reactions to test messages are left out, and those of robots ' +
  'unless `classification` includes them. With `Accept: application/x-ndjson`, returns one reaction a line; with ' +
  '`Accept: application/vnd.reactivity.summary+json`, exact counts instead.'

/** Descriptions of lists with a query of their own. */
const queryDescriptions: Partial<Record<EventListSubject, string>> = {
  stamp:
    'Returns all RCS events of the message or thread by ascending timestamp. Exactly one of `id` and `thread` is ' +
    'required.',
  phone:
    'Returns the RCS events of a phone number and an agent, newest first. Both are required. Interactions of robots are ' +
    'left out unless `classification` includes them.',
  contactQuery: `${EVENTS_DESCRIPTION} Exactly one of \`id\`, \`unicity\` and \`hash\` is required.`,
}

function summarizeList({ scope, suffix }: EventList): string {
  const { view, subject, channels } = scope
  const subjectText = subject === 'none' ? channelDescriptions[channels[0]!] : subjectDescriptions[subject]
  if (view === 'events') return `List the ${kindDescriptions[suffix] ?? (suffix || 'events')} of ${subjectText}`
  if (suffix === '') return `List the reactions to ${subjectText}`
  return `List the ${kindDescriptions[suffix] ?? suffix} of ${subjectText} with their activations`
}

const describeList = ({ view, subject }: EventListScope): string =>
  view === 'reactivities' ? REACTIVITIES_DESCRIPTION : (queryDescriptions[subject] ?? EVENTS_DESCRIPTION)

type EventListHttpRequest = FastifyRequest<{ Params: { id?: string }; Querystring: EventListQuery }>

/** Everything of one contact in one order, for people. */
function registerTimelineRoute(app: HttpApp, { db }: ServiceContext): void {
  app.get('/targets/:id/timeline', {
    config: { right: 'read' },
    schema: {
      tags: ['targets events'],
      summary: 'Get the timeline of a contact',
      description:
        'Returns one page of the events of the contact on all channels, newest first. Events of test messages and of ' +
        'robots are included.',
      operationId: 'listTargetTimeline',
      params: Type.Object({ id: Type.String() }),
      querystring: TimelineQuery,
      response: { 200: TimelinePage },
    },
    handler: ({ account, params, query }) => readTimeline(db, { account, contact: parseContactPath(params) }, query),
  })
}

/** Registers every list of events and reactivities, from the one table, and the timeline of a contact. */
export function eventRoutes(app: HttpApp, context: ServiceContext): void {
  const { db } = context
  registerTimelineRoute(app, context)
  for (const list of eventListScopes.flatMap(expandEventLists)) {
    app.get(
      list.path,
      { config: { right: 'read' }, schema: buildRouteSchema(list) },
      async (request: EventListHttpRequest, reply) => {
        const { account, params, query } = request
        const { reading, selection, completeUntil } = await parseEventRequest(db, {
          account,
          list,
          id: params.id ?? '',
          query,
        })
        if (isSummaryRequest(list.scope, request))
          return reply.type(SUMMARY_MEDIA_TYPE).send(await summaryOf(selection, query))
        return sendEventList(db, { request, reply }, { reading, completeUntil })
      },
    )
  }

  async function summaryOf(selection: EventSelection, query: EventListQuery) {
    const buckets = parseBuckets(query)
    const { activations, kinds } = await summarizeReactivities(db, selection, buckets)
    return { filters: formatFilters(query), bucket: buckets?.unit ?? null, zone: parseZone(query), activations, kinds }
  }
}

function isSummaryRequest(scope: EventListScope, request: FastifyRequest): boolean {
  return scope.view === 'reactivities' && acceptsMediaType(request, SUMMARY_MEDIA_TYPE)
}

/** The zone of the buckets; offsets are none, PostgreSQL reads their sign the other way round. */
function parseZone({ zone = 'UTC' }: EventListQuery): string {
  if (typeof zone === 'string' && /^[A-Za-z]/.test(zone) && zoneNamed(zone) !== undefined) return zone
  throw badRequestProblem('zone', 'must be an IANA time zone such as Europe/Paris')
}

/** The bounds as they were read; null where a side is open. */
function formatFilters(query: EventListQuery): Record<string, string | null> {
  const formatBound = (name: string): [string, string | null] => {
    const instant = parseInstant(query[name])
    return [name, instant === undefined ? null : new Date(instant).toISOString()]
  }
  return Object.fromEntries(Object.keys(ReactivityBounds).map(formatBound))
}

/** Query parameters of a list. */
function buildQuerySchema({ view, subject }: EventListScope): TProperties {
  const { limit, after } = ListPageQuery.properties
  const page = { limit, after }
  if (view === 'reactivities')
    return { ...ReactivityBounds, ...EventSortParams, ...HitClassParams, ...ReactivitySummaryParams, ...page }
  if (subject === 'stamp') return { ...StampEventsQuery, ...HitClassParams }
  if (subject === 'phone') return { ...PhoneEventsQuery, ...EventPeriodParams, ...HitClassParams, ...page }
  const contact = subject === 'contactQuery' ? ContactEventsQuery : {}
  return { ...contact, ...EventPeriodParams, ...EventSortParams, ...HitClassParams, ...page }
}

function listRefusals({ path, view }: EventListScope): Record<number, string> {
  const refusals: Record<number, string> = view === 'reactivities' ? { 400: 'too-many-buckets' } : {}
  return path.startsWith('/notifications/') ? { ...refusals, 410: 'gone' } : refusals
}

function buildRouteSchema(list: EventList) {
  const { scope, path } = list
  const isByPath = path.includes('/:id/')
  const recordContent = {
    [NDJSON_MEDIA_TYPE]: { schema: PublishedEventRecord },
    'application/json': { schema: Type.Array(PublishedEventRecord) },
  }
  const summaryContent = { [SUMMARY_MEDIA_TYPE]: { schema: ReactivitySummary } }
  return {
    tags: [`${scope.path.split('/')[1]} ${scope.view}`],
    summary: summarizeList(list),
    description: describeList(scope),
    ...(scope.operationId !== undefined && { operationId: scope.operationId }),
    refusals: listRefusals(scope),
    querystring: Type.Object(buildQuerySchema(scope)),
    ...(isByPath && { params: Type.Object({ id: Type.String() }) }),
    response: {
      200: {
        description: 'The events, in order.',
        content: scope.view === 'events' ? recordContent : { ...recordContent, ...summaryContent },
      },
    },
  }
}

function parseBuckets(query: EventListQuery): SummaryBuckets | undefined {
  const { bucket } = query
  return bucket === 'hour' || bucket === 'day' ? { unit: bucket, zone: parseZone(query) } : undefined
}
