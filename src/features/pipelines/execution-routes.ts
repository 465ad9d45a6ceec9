import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { LARGE_BODY_LIMIT_BYTES } from '../../http/middleware/parsing.ts'
import { declareStreamedAnswer } from '../../http/resource/list.ts'
import { isStrictPreferred } from '../../http/validation/validation.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import type { WorkflowEngineContext } from '../workflows/engine/context.ts'
import { findWorkflowEngine } from '../workflows/engine/engine.ts'
import {
  CompilableExecution,
  CompilableParams,
  CompilablePreviewBody,
  CompilablePreviewResponse,
  ExecutionArguments,
} from './compilable-schemas.ts'
import { executeCompilable, previewCompilable } from './execution/execute.ts'
import { COMPILABLES_PATH, readCompilableKey } from './paths.ts'
import { createCompilableParser, parseCompilableContent } from './reading.ts'
import { type CompilableContent, type CompilableKey, loadCompilable } from './stored.ts'

const ONE = `${COMPILABLES_PATH}/:id`
const tags = ['compilables']

/** Written without the schema's serialiser: it would cost more than the rest of the request. */
function answer(reply: FastifyReply, result: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
}

/** A whole compilable, or its value alone. */
function isWhole(given: unknown): given is Record<string, unknown> {
  return isJsonObject(given) && given['type'] === undefined && given['value'] !== undefined
}

/** What is tried: what is given beside the stored one. */
function triedContent(
  context: ServiceContext,
  request: FastifyRequest,
  stored: CompilableContent,
  given: unknown,
): CompilableContent {
  const reader = createCompilableParser(context, request.account, isStrictPreferred(request.headers.prefer))
  const { name } = stored
  const whole = isWhole(given) ? given : { value: given }
  return parseCompilableContent(
    { name, value: whole['value'], preview: whole['preview'] },
    { kept: stored, stored },
    reader,
  )
}

async function preview(context: ServiceContext, engine: WorkflowEngineContext, request: FastifyRequest) {
  const key: CompilableKey = readCompilableKey(request)
  const body = (request.body ?? {}) as CompilablePreviewBody
  const stored = await loadCompilable(context.db, key)
  const tried = body.value == null ? stored : triedContent(context, request, stored, body.value)
  return previewCompilable(engine, {
    ...{ account: key.account, id: key.id, value: tried.value, rights: request.rights ?? [] },
    arguments: body.arguments ?? tried.preview.arguments,
    limit: body.limit ?? tried.preview.limit,
    pointer: body.arguments ? '/arguments' : '',
  })
}

/** Executions of compilables, and previews. */
export function compilableExecutionRoutes(app: HttpApp, context: ServiceContext): void {
  const engine = findWorkflowEngine(context)
  const common = { bodyLimit: LARGE_BODY_LIMIT_BYTES, config: { right: 'read', revealing: true } } as const
  app.post(`${ONE}/execution`, {
    ...common,
    schema: {
      ...{ tags, summary: 'execute a compilable', params: CompilableParams, body: nullableSchema(ExecutionArguments) },
      response: { 200: declareStreamedAnswer(CompilableExecution) },
    },
    handler: async (request, reply) => {
      const asked = { arguments: request.body ?? {}, by: request }
      return answer(reply, await executeCompilable(engine, readCompilableKey(request), asked))
    },
  })
  app.post(`${ONE}/preview`, {
    ...common,
    schema: {
      ...{ tags, summary: 'try a compilable', description: 'Nothing is stored or written.' },
      ...{
        params: CompilableParams,
        body: nullableSchema(CompilablePreviewBody),
        response: { 200: declareStreamedAnswer(CompilablePreviewResponse) },
      },
    },
    handler: async (request, reply) => answer(reply, await preview(context, engine, request)),
  })
}
