import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { entityTag, requireMatch } from '../../http/middleware/conditional.ts'
import { decodeBody } from '../../http/middleware/parsing.ts'
import { lookOf, told } from '../../http/resource/audit.ts'
import { writerOf } from '../../http/resource/definition-writes.ts'
import { sent } from '../../http/resource/list.ts'
import { refuseLive } from '../../http/resource/resource.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { webtaskRule } from '../script-host/live-scripts.ts'
import { showWebtask } from './documents.ts'
import { WEBTASKS, webtaskKey } from './paths.ts'
import { loadWebtask, lockWebtask } from './stored.ts'
import { Script, WebtaskParams } from './webtask-schemas.ts'
import { changeWebtask } from './webtasks.ts'

const tags = ['webtasks']
const ONE = `${WEBTASKS}/:id/script`
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

function refuseLarge({ value }: Script): void {
  if (Buffer.byteLength(value) > MAX_BYTES)
    throw new Problem(413, 'body-too-large', `A script has at most ${MAX_BYTES} bytes.`)
}

/** The script of a webtask: as JSON, and as a bare text. */
export function webtaskScriptRoutes(app: App, context: Context): void {
  const { db } = context
  app.get(ONE, {
    config: { right: 'read', etag: true },
    schema: {
      ...{ tags, summary: 'read the script of a webtask' },
      description: 'the bare text with "Accept: text/javascript"',
      ...{ params: WebtaskParams, response: { 200: sent(Script) } },
    },
    handler: async (request, reply) => {
      const { source: value } = await loadWebtask(db, webtaskKey(request))
      const type = bareType(request)
      return type === undefined
        ? answer(reply, 'application/json', representationOf(value))
        : answer(reply, type, value)
    },
  })
  app.register(async (scope: App) => {
    scope.addContentTypeParser(TYPES, { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => ({
      value: decodeBody(body),
    }))
    scope.put(ONE, {
      config: { right: 'write', etag: true, accepts: TYPES, audit: { object: 'webtask' } },
      schema: {
        ...{ tags, summary: 'replace the script of a webtask' },
        description: 'also the bare text as text/javascript; flaws with which it could not run are in "flaws"',
        ...{ params: WebtaskParams, body: Script, response: { 200: Script } },
      },
      handler: async (request): Promise<Script> => {
        const { body } = request
        refuseLarge(body)
        const key = webtaskKey(request)
        const look = lookOf(
          async (tx) => showWebtask(await loadWebtask(tx, key)),
          (tx) => lockWebtask(tx, key),
        )
        return inTransaction(told(request, db, look), async (tx) => {
          const { source } = await lockWebtask(tx, key)
          await refuseLive(tx, request, { live: webtaskRule }, key.id)
          requireMatch(request, [entityTag(representationOf(source)), entityTag(source)])
          const { source: value } = await changeWebtask({ ...context, db: tx }, key, () => body, writerOf(request))
          return { value }
        })
      },
    })
  })
}
