import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { LARGE_BODY_LIMIT_BYTES } from '../../http/middleware/parsing.ts'
import { declareStreamedAnswer } from '../../http/resource/list.ts'
import { isStrictPreferred } from '../../http/validation/validation.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { findWorkflowEngine } from '../workflows/engine/engine.ts'
import type { WorkflowEngineContext } from '../workflows/engine/engine-context.ts'
import {
  CompilableExecution,
  CompilableParams,
  CompilablePreviewBody,
  CompilablePreviewResponse,
  compilableWriteRefusals,
  ExecutionArguments,
} from './compilable-schemas.ts'
import { executeCompilable, previewCompilable } from './execution/execute.ts'
import { COMPILABLES_PATH, readCompilableKey } from './paths.ts'
import { createCompilableParser, parseCompilableContent } from './reading.ts'
import { type CompilableContent, type CompilableKey, loadCompilable } from './stored.ts'

const COMPILABLE_PATH = `${COMPILABLES_PATH}/:id`
const ROUTE_TAGS = ['compilables']

/** Written without the schema's serialiser: it would cost more than the rest of the request. */
function serializeResult(reply: FastifyReply, result: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
}

/** A whole compilable, or its value alone. */
function isWholeCompilable(rawBody: unknown): rawBody is Record<string, unknown> {
  return isJsonObject(rawBody) && rawBody['type'] === undefined && rawBody['value'] !== undefined
}

/** Content to preview: the request body merged with the stored compilable. */
function buildPreviewContent(
  context: ServiceContext,
  request: FastifyRequest,
  storedContent: CompilableContent,
  rawBody: unknown,
): CompilableContent {
  const reader = createCompilableParser(context, request.account, isStrictPreferred(request.headers.prefer))
  const { name } = storedContent
  const wholeBody = isWholeCompilable(rawBody) ? rawBody : { value: rawBody }
  return parseCompilableContent(
    { name, value: wholeBody['value'], preview: wholeBody['preview'] },
    { kept: storedContent, stored: storedContent },
    reader,
  )
}

async function runPreview(context: ServiceContext, engine: WorkflowEngineContext, request: FastifyRequest) {
  const key: CompilableKey = readCompilableKey(request)
  const body = (request.body ?? {}) as CompilablePreviewBody
  const storedCompilable = await loadCompilable(context.db, key)
  const previewContent =
    body.value == null ? storedCompilable : buildPreviewContent(context, request, storedCompilable, body.value)
  return previewCompilable(engine, {
    account: key.account,
    id: key.id,
    value: previewContent.value,
    rights: request.rights ?? [],
    arguments: body.arguments ?? previewContent.preview.arguments,
    limit: body.limit ?? previewContent.preview.limit,
    pointer: body.arguments ? '/arguments' : '',
  })
}

/** Executions of compilables, and previews. */
export function compilableExecutionRoutes(app: HttpApp, context: ServiceContext): void {
  const engine = findWorkflowEngine(context)
  const routeOptions = { bodyLimit: LARGE_BODY_LIMIT_BYTES, config: { right: 'read', revealing: true } } as const
  app.post(`${COMPILABLE_PATH}/execution`, {
    ...routeOptions,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Execute a compilable',
      description:
        'Returns the result for the given arguments, within 5 seconds, 10,000 rows and 5 MB; an execution that exceeds them returns type `error`. Unknown, missing or mistyped arguments are refused with 400, a compilable in state `draft` with 409. Writes of a script are applied, and its capabilities require the corresponding rights (403).',
      params: CompilableParams,
      body: nullableSchema(ExecutionArguments),
      refusals: compilableWriteRefusals,
      response: { 200: declareStreamedAnswer(CompilableExecution) },
    },
    handler: async (request, reply) => {
      const executionRequest = { arguments: request.body ?? {}, by: request }
      return serializeResult(reply, await executeCompilable(engine, readCompilableKey(request), executionRequest))
    },
  })
  app.post(`${COMPILABLE_PATH}/preview`, {
    ...routeOptions,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Preview a compilable',
      description:
        'Runs the stored compilable or the given draft and returns at most `limit` rows, with the plan of the run. Nothing is stored; writes of a script are listed instead of applied. A definition with error flaws returns them with type `error`.',
      refusals: compilableWriteRefusals,
      params: CompilableParams,
      body: nullableSchema(CompilablePreviewBody),
      response: { 200: declareStreamedAnswer(CompilablePreviewResponse) },
    },
    handler: async (request, reply) => serializeResult(reply, await runPreview(context, engine, request)),
  })
}
