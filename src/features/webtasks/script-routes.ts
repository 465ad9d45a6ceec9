import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceContext } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { computeEntityTag, requireIfMatch } from '../../http/middleware/conditional.ts'
import { decodeBodyText } from '../../http/middleware/parsing.ts'
import { createAuditedDb, createAuditSnapshot } from '../../http/resource/audit.ts'
import { toDefinitionWriter } from '../../http/resource/definition-writes.ts'
import { declareStreamedAnswer } from '../../http/resource/list.ts'
import { requireLiveChangeRight } from '../../http/resource/resource.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { liveWebtaskRule } from '../script-host/live-scripts.ts'
import { showWebtask } from './documents.ts'
import { readWebtaskKey, WEBTASKS_PATH } from './paths.ts'
import { loadWebtask, lockWebtask } from './stored.ts'
import { WebtaskParams, WebtaskScriptBody } from './webtask-schemas.ts'
import { changeWebtask } from './webtasks.ts'

const tags = ['webtasks']
const ONE = `${WEBTASKS_PATH}/:id/script`
const MAX_BYTES = 256 * 1024
const TYPES = ['text/javascript', 'application/javascript']

/** The type in which the bare text is asked for; undefined: JSON is. */
function bareType({ headers }: FastifyRequest): string | undefined {
  const accepted = (headers.accept ?? '').toLowerCase().split(',')
  return TYPES.find((type) => accepted.some((one) => one.split(';', 1)[0]?.trim() === type))
}

/** Written without the schema's serialiser, so that its tag is that of a change. */
const representationOf = (value: string): string => JSON.stringify({ value })

function answer(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.header('vary', 'accept').type(`${type}; charset=utf-8`).send(text)
}

function refuseLarge({ value }: WebtaskScriptBody): void {
  if (Buffer.byteLength(value) > MAX_BYTES)
    throw new Problem(413, 'body-too-large', `A script has at most ${MAX_BYTES} bytes.`)
}

/** The script of a webtask: as JSON, and as a bare text. */
export function webtaskScriptRoutes(app: HttpApp, context: ServiceContext): void {
  const { db } = context
  app.get(ONE, {
    config: { right: 'read', etag: true },
    schema: {
      ...{ tags, summary: 'read the script of a webtask' },
      description: 'the bare text with "Accept: text/javascript"',
      ...{ params: WebtaskParams, response: { 200: declareStreamedAnswer(WebtaskScriptBody) } },
    },
    handler: async (request, reply) => {
      const { source: value } = await loadWebtask(db, readWebtaskKey(request))
      const type = bareType(request)
      return type === undefined
        ? answer(reply, 'application/json', representationOf(value))
        : answer(reply, type, value)
    },
  })
  app.register(async (scope: HttpApp) => {
    scope.addContentTypeParser(TYPES, { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => ({
      value: decodeBodyText(body),
    }))
    scope.put(ONE, {
      config: { right: 'write', etag: true, accepts: TYPES, audit: { object: 'webtask' } },
      schema: {
        ...{ tags, summary: 'replace the script of a webtask' },
        description: 'also the bare text as text/javascript; flaws with which it could not run are in "flaws"',
        ...{ params: WebtaskParams, body: WebtaskScriptBody, response: { 200: WebtaskScriptBody } },
      },
      handler: async (request): Promise<WebtaskScriptBody> => {
        const { body } = request
        refuseLarge(body)
        const key = readWebtaskKey(request)
        const look = createAuditSnapshot(
          async (tx) => showWebtask(await loadWebtask(tx, key)),
          (tx) => lockWebtask(tx, key),
        )
        return inTransaction(createAuditedDb(request, db, look), async (tx) => {
          const { source } = await lockWebtask(tx, key)
          await requireLiveChangeRight(tx, request, { live: liveWebtaskRule }, key.id)
          requireIfMatch(request, [computeEntityTag(representationOf(source)), computeEntityTag(source)])
          const { source: value } = await changeWebtask(
            { ...context, db: tx },
            key,
            () => body,
            toDefinitionWriter(request),
          )
          return { value }
        })
      },
    })
  })
}
