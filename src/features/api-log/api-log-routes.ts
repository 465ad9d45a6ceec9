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
function readStatuses(text: string | undefined): (readonly [number, number])[] | undefined {
  if (text === undefined || text.trim() === '') return undefined
  return text.split(',').map((part) => {
    const [, hundreds, rest] = /^([1-5])(\d\d|xx)$/i.exec(part.trim()) ?? []
    if (hundreds === undefined || rest === undefined)
      throw badRequestProblem('status', 'must be of codes such as 404 and classes such as 4xx, separated by commas')
    const code = Number(hundreds) * 100
    return /x/i.test(rest) ? [code, code + 99] : [code + Number(rest), code + Number(rest)]
  })
}

/** What is kept of a request; undefined of one without an account, or of nobody's. */
function answeredOf(
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

function collect(app: HttpApp, log: ApiRequestLog, { clock }: Pick<ServiceContext, 'clock'>): void {
  app.addHook('onResponse', async (request, reply) => {
    const answered = answeredOf(request, reply.statusCode, reply.elapsedTime, clock.now())
    if (answered) log.note(answered)
  })
  app.addHook('onListen', async () => log.start())
  app.addHook('onClose', () => log.stop())
}

/** The requests of an account in the last hour. */
export function loggedRequestRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, clock } = context
  const log = openApiRequestLog(db, context.log)
  collect(app, log, context)
  app.get('/requests', {
    config: { right: 'admin' },
    schema: {
      tags: ['requests'],
      summary: 'list the requests of the last hour, newest first',
      description: 'Of all processes, within a second; at most 10,000. No bodies, and no values of paths and queries.',
      querystring: Type.Object({
        ...ListPageQuery.properties,
        key: Type.Optional(Type.Integer({ ...int32IdLimits, description: 'number of a key' })),
        status: Type.Optional(Type.String({ description: 'codes (404) and classes (4xx), separated by commas' })),
      }),
      response: { 200: declareStreamedAnswer(Type.Array(LoggedRequest)) },
    },
    handler: async (request, reply) => {
      const { account, query } = request
      const filter = { key: query.key, statuses: readStatuses(query.status) }
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
