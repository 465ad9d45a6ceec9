import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { declareStreamedAnswer, ListPageQuery, parseNumericListKey, sendList } from '../../http/resource/list.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { int32IdLimits } from '../../lib/int32.ts'
import { type AnsweredRequest, type ApiRequestLog, listLoggedRequests, openApiRequestLog } from './api-log.ts'
import { LoggedRequest } from './api-log-schemas.ts'

/** Reads `404`, or `4xx` for all that begin so, separated by commas. Throws 400. */
function parseStatusRanges(text: string | undefined): (readonly [number, number])[] | undefined {
  if (text === undefined || text.trim() === '') return undefined
  return text.split(',').map((part) => {
    const [, statusClass, statusSuffix] = /^([1-5])(\d\d|xx)$/i.exec(part.trim()) ?? []
    if (statusClass === undefined || statusSuffix === undefined)
      throw badRequestProblem('status', 'must be a comma-separated list of codes such as 404 and classes such as 4xx')
    const code = Number(statusClass) * 100
    return /x/i.test(statusSuffix) ? [code, code + 99] : [code + Number(statusSuffix), code + Number(statusSuffix)]
  })
}

/** Builds the log entry of a request. `undefined` for a request without an account or without an actor. */
function buildAnsweredRequest(
  request: FastifyRequest,
  status: number,
  elapsedMs: number,
  now: number,
): AnsweredRequest | undefined {
  const { account, actor, method, routeOptions, id } = request
  if (!account || actor === null || actor.id === null || (actor.type !== 'key' && actor.type !== 'person'))
    return undefined
  return {
    account,
    at: new Date(now),
    method,
    path: (routeOptions.url ?? '').replaceAll(/:(\w+)/g, '{$1}'),
    status,
    durationMs: Math.round(elapsedMs),
    request: id,
    by: { type: actor.type, id: actor.id, name: actor.name },
  }
}

function recordRequests(app: HttpApp, log: ApiRequestLog, { clock }: Pick<ServiceContext, 'clock'>): void {
  app.addHook('onResponse', async (request, reply) => {
    const loggedRequest = buildAnsweredRequest(request, reply.statusCode, reply.elapsedTime, clock.now())
    if (loggedRequest) log.note(loggedRequest)
  })
  app.addHook('onListen', async () => log.start())
  app.addHook('onClose', () => log.stop())
}

/** The requests of an account in the last hour. */
export function loggedRequestRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, clock } = context
  const log = openApiRequestLog(db, context.log)
  recordRequests(app, log, context)
  app.get('/requests', {
    config: { right: 'admin' },
    schema: {
      tags: ['requests'],
      summary: 'List recent API requests',
      description:
        'Returns the authenticated requests of the last hour from all processes, newest first; at most the last 10,000. ' +
        'They contain neither bodies nor values of paths and queries. A request appears within a second.',
      querystring: Type.Object({
        ...ListPageQuery.properties,
        key: Type.Optional(
          Type.Integer({ ...int32IdLimits, description: 'ID of an API key: only its requests are returned.' }),
        ),
        status: Type.Optional(
          Type.String({
            description: 'Statuses, separated by commas: codes (`404`) and classes (`4xx`). Absent: all.',
          }),
        ),
      }),
      response: { 200: declareStreamedAnswer(Type.Array(LoggedRequest)) },
    },
    handler: async (request, reply) => {
      const { account, query } = request
      const filter = { key: query.key, statuses: parseStatusRanges(query.status) }
      await log.flush()
      return sendList(request, reply, {
        rows: (page: { after: number | undefined; limit: number | undefined }) =>
          listLoggedRequests(db, { account, now: clock.now() }, filter, page),
        key: ({ id }) => id,
        readKey: parseNumericListKey,
      })
    },
  })
}
