import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { LARGE_BODY_LIMIT_BYTES } from '../../../http/middleware/parsing.ts'
import { declareStreamedAnswer, ListPageQuery, type ListPageRequest, sendList } from '../../../http/resource/list.ts'
import { acceptsMediaType, NDJSON_MEDIA_TYPE } from '../../../lib/accepts.ts'
import { parseTimePeriod } from '../../../lib/time/period.ts'
import type { SandboxLogLine } from '../../../scripting/sandbox/types.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { renameRecipients } from '../../script-host/receivers.ts'
import { findWorkflowEngine } from '../../workflows/engine/engine.ts'
import { readWebtaskKey, WEBTASKS_PATH } from '../paths.ts'
import { loadWebtask } from '../stored.ts'
import { WebtaskParams } from '../webtask-schemas.ts'
import { WebtaskItem, WebtaskItems, WebtaskResult, WebtaskRun, WebtaskRunQuery } from './execution-schemas.ts'
import { executeWebtask } from './executions.ts'
import { listWebtaskRuns, parseWebtaskRunCursor, type WebtaskRunCursor } from './records.ts'

const tags = ['webtasks']
const ONE = `${WEBTASKS_PATH}/:id`
const DESCRIPTION = 'A second run with the same stamp.id within 24 hours is answered as the first.'

const FOLLOWED = `${DESCRIPTION} With "Accept: application/x-ndjson" lines of the log come as they are written, each {"type": "log", level, at, text}; the last line is the result.`

/** Written without the schema's serialiser: unions of a thousand items would cost more than the rest of the request. */
function answer(reply: FastifyReply, result: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
}

/**
 * Answers a line of JSON for each line of the log as it comes, `{"type": "log", …}`, and the result as the last one. What is refused before
 * the first of them is a problem document; an error after it closes the connection.
 */
async function answerAsItRuns(
  reply: FastifyReply,
  run: (onLog: (line: SandboxLogLine) => void) => Promise<unknown>,
): Promise<FastifyReply> {
  const out = new Readable({ read: () => undefined })
  const begun = Promise.withResolvers<void>()
  const write = (line: unknown): void => {
    if (!out.destroyed) out.push(`${JSON.stringify(line)}\n`)
    begun.resolve()
  }
  const running = run((line) => write({ type: 'log', ...line })).then(write)
  await Promise.race([begun.promise, running])
  running.then(
    () => out.push(null),
    (error) => out.destroy(error),
  )
  return reply.type(NDJSON_MEDIA_TYPE).header('cache-control', 'no-store').send(out)
}

function runRoute(app: HttpApp, { db, clock }: ServiceContext): void {
  app.get(`${ONE}/runs`, {
    config: { right: 'read' },
    schema: {
      ...{ tags, summary: 'list runs of a webtask', description: 'the last 1,000 of 7 days, the latest first' },
      params: WebtaskParams,
      querystring: Type.Object({ ...ListPageQuery.properties, ...WebtaskRunQuery.properties }),
      response: { 200: declareStreamedAnswer(Type.Array(WebtaskRun)) },
    },
    handler: async (request, reply) => {
      const key = readWebtaskKey(request)
      await loadWebtask(db, key)
      const filter = { outcome: request.query.outcome, ...parseTimePeriod(request.query), now: clock.now() }
      return sendList(request, reply, {
        rows: (page: ListPageRequest<WebtaskRunCursor>) => listWebtaskRuns(db, key, filter, page),
        key: ({ cursor }) => cursor,
        show: ({ shown }) => shown,
        readKey: parseWebtaskRunCursor,
      })
    },
  })
}

/** Runs of webtasks: on demand, and what became of them. */
export function webtaskExecutionRoutes(app: HttpApp, context: ServiceContext): void {
  const executing = findWorkflowEngine(context)
  const common = {
    ...{ bodyLimit: LARGE_BODY_LIMIT_BYTES, preValidation: renameRecipients },
    config: { right: 'read', revealing: true },
  } as const
  app.post(`${ONE}/execution`, {
    ...common,
    schema: {
      ...{ tags, summary: 'run a webtask', description: FOLLOWED },
      ...{
        params: WebtaskParams,
        body: nullableSchema(WebtaskItem),
        response: { 200: declareStreamedAnswer(WebtaskResult) },
      },
    },
    handler: async (request, reply) => {
      const asked = { items: [request.body ?? {}], isList: false, by: request }
      const run = async (onLog?: (line: SandboxLogLine) => void) => {
        const [result] = await executeWebtask(executing, readWebtaskKey(request), { ...asked, ...(onLog && { onLog }) })
        return result
      }
      return acceptsMediaType(request, NDJSON_MEDIA_TYPE) ? answerAsItRuns(reply, run) : answer(reply, await run())
    },
  })
  app.post(`${ONE}/executions`, {
    ...common,
    schema: {
      ...{ tags, summary: 'run a webtask for many items', description: `Each is a run of its own. ${DESCRIPTION}` },
      ...{
        params: WebtaskParams,
        body: WebtaskItems,
        response: { 200: declareStreamedAnswer(Type.Array(WebtaskResult)) },
      },
    },
    handler: async (request, reply) => {
      const asked = { items: request.body, isList: true, by: request }
      return answer(reply, await executeWebtask(executing, readWebtaskKey(request), asked))
    },
  })
  runRoute(app, context)
}
