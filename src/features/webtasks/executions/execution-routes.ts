import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { LARGE_BODY_LIMIT } from '../../../http/middleware/parsing.ts'
import { type Page, PageQuery, sendList, sent } from '../../../http/resource/list.ts'
import { accepts, NDJSON } from '../../../lib/accepts.ts'
import { readPeriod } from '../../../lib/time/period.ts'
import type { LogLine } from '../../../scripting/sandbox/types.ts'
import { nullable } from '../../accounts/sending-settings-schemas.ts'
import { readRecipients } from '../../script-host/receivers.ts'
import { engineOf } from '../../workflows/engine/engine.ts'
import { WEBTASKS, webtaskKey } from '../paths.ts'
import { loadWebtask } from '../stored.ts'
import { WebtaskParams } from '../webtask-schemas.ts'
import { RunQuery, WebtaskItem, WebtaskItems, WebtaskResult, WebtaskRun } from './execution-schemas.ts'
import { executeWebtask } from './executions.ts'
import { listRuns, type RunCursor, readCursor } from './records.ts'

const tags = ['webtasks']
const ONE = `${WEBTASKS}/:id`
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
  run: (onLog: (line: LogLine) => void) => Promise<unknown>,
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
  return reply.type(NDJSON).header('cache-control', 'no-store').send(out)
}

function runRoute(app: App, { db, clock }: Context): void {
  app.get(`${ONE}/runs`, {
    config: { right: 'read' },
    schema: {
      ...{ tags, summary: 'list runs of a webtask', description: 'the last 1,000 of 7 days, the latest first' },
      params: WebtaskParams,
      querystring: Type.Object({ ...PageQuery.properties, ...RunQuery.properties }),
      response: { 200: sent(Type.Array(WebtaskRun)) },
    },
    handler: async (request, reply) => {
      const key = webtaskKey(request)
      await loadWebtask(db, key)
      const filter = { outcome: request.query.outcome, ...readPeriod(request.query), now: clock.now() }
      return sendList(request, reply, {
        rows: (page: Page<RunCursor>) => listRuns(db, key, filter, page),
        key: ({ cursor }) => cursor,
        show: ({ shown }) => shown,
        readKey: readCursor,
      })
    },
  })
}

/** Runs of webtasks: on demand, and what became of them. */
export function webtaskExecutionRoutes(app: App, context: Context): void {
  const executing = engineOf(context)
  const common = {
    ...{ bodyLimit: LARGE_BODY_LIMIT, preValidation: readRecipients },
    config: { right: 'read', revealing: true },
  } as const
  app.post(`${ONE}/execution`, {
    ...common,
    schema: {
      ...{ tags, summary: 'run a webtask', description: FOLLOWED },
      ...{ params: WebtaskParams, body: nullable(WebtaskItem), response: { 200: sent(WebtaskResult) } },
    },
    handler: async (request, reply) => {
      const asked = { items: [request.body ?? {}], isList: false, by: request }
      const run = async (onLog?: (line: LogLine) => void) => {
        const [result] = await executeWebtask(executing, webtaskKey(request), { ...asked, ...(onLog && { onLog }) })
        return result
      }
      return accepts(request, NDJSON) ? answerAsItRuns(reply, run) : answer(reply, await run())
    },
  })
  app.post(`${ONE}/executions`, {
    ...common,
    schema: {
      ...{ tags, summary: 'run a webtask for many items', description: `Each is a run of its own. ${DESCRIPTION}` },
      ...{ params: WebtaskParams, body: WebtaskItems, response: { 200: sent(Type.Array(WebtaskResult)) } },
    },
    handler: async (request, reply) => {
      const asked = { items: request.body, isList: true, by: request }
      return answer(reply, await executeWebtask(executing, webtaskKey(request), asked))
    },
  })
  runRoute(app, context)
}
