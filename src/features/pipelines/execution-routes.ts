import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { LARGE_BODY_LIMIT } from '../../http/middleware/parsing.ts'
import { sent } from '../../http/resource/list.ts'
import { wantsStrict } from '../../http/validation/validation.ts'
import { isObject } from '../../lib/objects.ts'
import { nullable } from '../accounts/sending-settings-schemas.ts'
import type { EngineContext } from '../workflows/engine/context.ts'
import { engineOf } from '../workflows/engine/engine.ts'
import { ArgumentMap, CompilableParams, Execution, PreviewBody, PreviewResult } from './compilable-schemas.ts'
import { executeCompilable, previewCompilable } from './execution/execute.ts'
import { COMPILABLES, compilableKey } from './paths.ts'
import { readContent, readerOf } from './reading.ts'
import { type CompilableKey, type Content, loadCompilable } from './stored.ts'

const ONE = `${COMPILABLES}/:id`
const tags = ['compilables']

/** Written without the schema's serialiser: it would cost more than the rest of the request. */
function answer(reply: FastifyReply, result: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
}

/** A whole compilable, or its value alone. */
function isWhole(given: unknown): given is Record<string, unknown> {
  return isObject(given) && given['type'] === undefined && given['value'] !== undefined
}

/** What is tried: what is given beside the stored one. */
function triedContent(context: Context, request: FastifyRequest, stored: Content, given: unknown): Content {
  const reader = readerOf(context, request.account, wantsStrict(request.headers.prefer))
  const { name } = stored
  const whole = isWhole(given) ? given : { value: given }
  return readContent({ name, value: whole['value'], preview: whole['preview'] }, { kept: stored, stored }, reader)
}

async function preview(context: Context, engine: EngineContext, request: FastifyRequest) {
  const key: CompilableKey = compilableKey(request)
  const body = (request.body ?? {}) as PreviewBody
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
export function compilableExecutionRoutes(app: App, context: Context): void {
  const engine = engineOf(context)
  const common = { bodyLimit: LARGE_BODY_LIMIT, config: { right: 'read', revealing: true } } as const
  app.post(`${ONE}/execution`, {
    ...common,
    schema: {
      ...{ tags, summary: 'execute a compilable', params: CompilableParams, body: nullable(ArgumentMap) },
      response: { 200: sent(Execution) },
    },
    handler: async (request, reply) => {
      const asked = { arguments: request.body ?? {}, by: request }
      return answer(reply, await executeCompilable(engine, compilableKey(request), asked))
    },
  })
  app.post(`${ONE}/preview`, {
    ...common,
    schema: {
      ...{ tags, summary: 'try a compilable', description: 'Nothing is stored or written.' },
      ...{ params: CompilableParams, body: nullable(PreviewBody), response: { 200: sent(PreviewResult) } },
    },
    handler: async (request, reply) => answer(reply, await preview(context, engine, request)),
  })
}
