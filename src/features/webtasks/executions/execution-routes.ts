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
import { WebtaskParams, webtaskRefusals, webtaskWriteRefusals } from '../webtask-schemas.ts'
import { WebtaskItem, WebtaskItems, WebtaskResult, WebtaskRun, WebtaskRunQuery } from './execution-schemas.ts'
import { executeWebtask } from './executions.ts'
import { listWebtaskRuns, parseWebtaskRunCursor, type WebtaskRunCursor } from './records.ts'

const ROUTE_TAGS = ['webtasks']
const WEBTASK_PATH = `${WEBTASKS_PATH}/:id`
const RUN_DESCRIPTION = 'A repeated `stamp.id` within 24 hours returns the first result without another run.'

const STREAMED_DESCRIPTION = `Runs the script, then applies its writes in one transaction. ${RUN_DESCRIPTION} The capabilities of the script require the corresponding rights (403). With \`Accept: application/x-ndjson\`, log lines \`{"type": "log", level, at, text}\` are sent as they are written, followed by the result.`

/** Written without the schema's serialiser: unions of a thousand items would cost more than the rest of the request. */
function serializeResults(reply: FastifyReply, result: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
}

/**
 * Answers a line of JSON for each line of the log as it comes, `{"type": "log", …}`, and the result as the last one. What is refused before
 * the first of them is a problem document; an error after it closes the connection.
 */
async function streamResult(
  reply: FastifyReply,
  run: (onLog: (line: SandboxLogLine) => void) => Promise<unknown>,
): Promise<FastifyReply> {
  const outputStream = new Readable({ read: () => undefined })
  const firstLine = Promise.withResolvers<void>()
  const writeLine = (line: unknown): void => {
    if (!outputStream.destroyed) outputStream.push(`${JSON.stringify(line)}\n`)
    firstLine.resolve()
  }
  const runCompletion = run((line) => writeLine({ type: 'log', ...line })).then(writeLine)
  await Promise.race([firstLine.promise, runCompletion])
  runCompletion.then(
    () => outputStream.push(null),
    (error) => outputStream.destroy(error),
  )
  return reply.type(NDJSON_MEDIA_TYPE).header('cache-control', 'no-store').send(outputStream)
}

function registerRunRoute(app: HttpApp, { db, clock }: ServiceContext): void {
  app.get(`${WEBTASK_PATH}/runs`, {
    config: { right: 'read' },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'List the runs of a webtask',
      description: 'Returns at most 1,000 runs of the last 7 days, newest first.',
      refusals: webtaskRefusals,
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
        show: ({ shown: shownRun }) => shownRun,
        readKey: parseWebtaskRunCursor,
      })
    },
  })
}

/** Runs of webtasks: on demand, and what became of them. */
export function webtaskExecutionRoutes(app: HttpApp, context: ServiceContext): void {
  const executing = findWorkflowEngine(context)
  const routeOptions = {
    bodyLimit: LARGE_BODY_LIMIT_BYTES,
    preValidation: renameRecipients,
    config: { right: 'read', revealing: true },
  } as const
  app.post(`${WEBTASK_PATH}/execution`, {
    ...routeOptions,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Run a webtask',
      description: STREAMED_DESCRIPTION,
      refusals: webtaskWriteRefusals,
      answerTypes: { 200: ['application/x-ndjson'] },
      params: WebtaskParams,
      body: nullableSchema(WebtaskItem),
      response: { 200: declareStreamedAnswer(WebtaskResult) },
    },
    handler: async (request, reply) => {
      const executionRequest = { items: [request.body ?? {}], isList: false, by: request }
      const runWebtask = async (onLog?: (line: SandboxLogLine) => void) => {
        const [result] = await executeWebtask(executing, readWebtaskKey(request), {
          ...executionRequest,
          ...(onLog && { onLog }),
        })
        return result
      }
      return acceptsMediaType(request, NDJSON_MEDIA_TYPE)
        ? streamResult(reply, runWebtask)
        : serializeResults(reply, await runWebtask())
    },
  })
  app.post(`${WEBTASK_PATH}/executions`, {
    ...routeOptions,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Run a webtask for up to 1,000 items',
      description: `Each item is a run of its own; results come in the order of the items. Items that have not started within 60 seconds fail with \`timeout\`. ${RUN_DESCRIPTION}`,
      refusals: webtaskWriteRefusals,
      params: WebtaskParams,
      body: WebtaskItems,
      response: { 200: declareStreamedAnswer(Type.Array(WebtaskResult)) },
    },
    handler: async (request, reply) => {
      const executionRequest = { items: request.body, isList: true, by: request }
      return serializeResults(reply, await executeWebtask(executing, readWebtaskKey(request), executionRequest))
    },
  })
  registerRunRoute(app, context)
}
