import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { computeEntityTag } from '../../http/middleware/conditional.ts'
import { decodeBodyText } from '../../http/middleware/parsing.ts'
import { toDefinitionWriter } from '../../http/resource/definition-writes.ts'
import { declareStreamedAnswer } from '../../http/resource/list.ts'
import { type ChangedResource, changeResource } from '../../http/resource/resource.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { liveWebtaskRule } from '../script-host/live-scripts.ts'
import { showWebtask } from './documents.ts'
import { readWebtaskKey, WEBTASKS_PATH } from './paths.ts'
import { loadWebtask, lockWebtask, type StoredWebtask } from './stored.ts'
import {
  WebtaskDocument,
  WebtaskParams,
  WebtaskScriptBody,
  webtaskRefusals,
  webtaskWriteRefusals,
} from './webtask-schemas.ts'
import { changeWebtask } from './webtasks.ts'

const ROUTE_TAGS = ['webtasks']
const SCRIPT_PATH = `${WEBTASKS_PATH}/:id/script`
const MAX_SCRIPT_BYTES = 256 * 1024
const SCRIPT_TYPES = ['text/javascript', 'application/javascript']

/** The type in which the bare text is asked for; undefined: JSON is. */
function findBareType({ headers }: FastifyRequest): string | undefined {
  const accepted = (headers.accept ?? '').toLowerCase().split(',')
  return SCRIPT_TYPES.find((type) => accepted.some((acceptedRange) => acceptedRange.split(';', 1)[0]?.trim() === type))
}

/** Written without the schema's serialiser, so that its tag is that of a change. */
const serializeScript = (value: string): string => JSON.stringify({ value })

function sendScript(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.header('vary', 'accept').type(`${type}; charset=utf-8`).send(text)
}

function requireSizeLimit({ value }: WebtaskScriptBody): void {
  if (Buffer.byteLength(value) > MAX_SCRIPT_BYTES)
    throw new Problem(413, 'body-too-large', `A script can have at most ${MAX_SCRIPT_BYTES} bytes.`)
}

/** A webtask whose script alone is changed: If-Match names the script, as JSON or as a bare text. */
const scriptResource: ChangedResource<number, WebtaskDocument, StoredWebtask> = {
  schema: { shown: WebtaskDocument },
  lock: (tx, account, id) => lockWebtask(tx, { account, id }),
  show: showWebtask,
  live: liveWebtaskRule,
  tagsOf: ({ source }) => [computeEntityTag(serializeScript(source)), computeEntityTag(source)],
}

/** The script of a webtask: as JSON, and as a bare text. */
export function webtaskScriptRoutes(app: HttpApp, context: ServiceContext): void {
  const { db } = context
  app.get(SCRIPT_PATH, {
    config: { right: 'read', etag: true },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Get the script of a webtask',
      refusals: webtaskRefusals,
      answerTypes: { 200: ['application/json', 'text/javascript', 'application/javascript'] },
      description: 'Returns the script as JSON, or as plain text with `Accept: text/javascript`.',
      params: WebtaskParams,
      response: { 200: declareStreamedAnswer(WebtaskScriptBody) },
    },
    handler: async (request, reply) => {
      const { source: value } = await loadWebtask(db, readWebtaskKey(request))
      const type = findBareType(request)
      return type === undefined
        ? sendScript(reply, 'application/json', serializeScript(value))
        : sendScript(reply, type, value)
    },
  })
  app.register(async (scope: HttpApp) => {
    scope.addContentTypeParser(SCRIPT_TYPES, { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => ({
      value: decodeBodyText(body),
    }))
    scope.put(SCRIPT_PATH, {
      config: { right: 'write', etag: true, accepts: SCRIPT_TYPES, audit: { object: 'webtask' } },
      schema: {
        tags: ROUTE_TAGS,
        summary: 'Replace the script of a webtask',
        operationId: 'replaceWebtaskScript',
        refusals: webtaskWriteRefusals,
        bodyTypes: { 'text/javascript': { type: 'string' }, 'application/javascript': { type: 'string' } },
        answerTypes: { 200: ['application/json', 'text/javascript', 'application/javascript'] },
        description:
          'Accepts JSON, or the plain text as `text/javascript`. The new script applies from the next run on. Refused with 400 if it has error flaws; `flaws` lists them and the stored script remains.',
        params: WebtaskParams,
        body: WebtaskScriptBody,
        response: { 200: WebtaskScriptBody },
      },
      handler: async (request): Promise<WebtaskScriptBody> => {
        const { body } = request
        requireSizeLimit(body)
        const { id } = readWebtaskKey(request)
        const { value } = await changeResource({ request, db }, scriptResource, id, {
          change: (tx, { stored }) => changeWebtask({ ...context, db: tx }, stored, body, toDefinitionWriter(request)),
        })
        return { value }
      },
    })
  })
}
