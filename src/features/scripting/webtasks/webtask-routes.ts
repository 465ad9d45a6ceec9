import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connect.ts'
import type { App } from '../../../http/app-type.ts'
import { patched } from '../../../http/patch.ts'
import { guarded, type Resource, registerResource } from '../../../http/resource.ts'
import { readBody, wantsStrict } from '../../../http/validation.ts'
import { readIntId } from '../../../lib/ids.ts'
import { badRequest } from '../../../lib/problem.ts'
import { showWebtask } from './documents.ts'
import { deleteWebtask } from './links.ts'
import { WEBTASKS, webtaskKey } from './paths.ts'
import type { WebtaskWrite } from './reading.ts'
import { listWebtasks, loadWebtask, lockWebtask, type StoredWebtask } from './stored.ts'
import { Webtask, WebtaskBody, WebtaskParams, WebtaskQuery } from './webtask-schemas.ts'
import { type ChangeOptions, changeWebtask, createWebtask, type Writer } from './webtasks.ts'

const tags = ['webtasks']
const ONE = `${WEBTASKS}/:id`
const FLAWED = 'Flaws with which it could not run are in "flaws", and nothing is stored.'

function writerOf({ rights, headers }: FastifyRequest): Writer {
  return { rights: rights ?? [], strict: wantsStrict(headers.prefer) }
}

type WebtaskResource = Resource<number, WebtaskBody, Webtask>

const resource: WebtaskResource = {
  path: WEBTASKS,
  tag: 'webtasks',
  name: 'webtask',
  readId: readIntId,
  schema: { shown: Webtask, body: WebtaskBody, query: WebtaskQuery },
  async *list(db, account, page, { query }) {
    const { name } = query as { name?: string }
    for await (const row of listWebtasks(db, account, { ...page, name })) yield showWebtask(row)
  },
  read: async (db, account, id) => showWebtask(await loadWebtask(db, { account, id })),
  remove: (db, account, id) => deleteWebtask(db, { account, id }),
  lock: (tx, account, id) => lockWebtask(tx, { account, id }),
}

/** Webtasks as a resource. */
export function webtaskRoutes(app: App, context: Context): void {
  const { db } = context
  const response = { 200: Webtask }
  registerResource(app, db, resource)
  const change = (
    request: FastifyRequest,
    reply: FastifyReply,
    given: (stored: StoredWebtask) => WebtaskWrite,
    options: Partial<ChangeOptions>,
  ): Promise<Webtask> => {
    const key = webtaskKey(request)
    const all = { ...writerOf(request), ...options }
    return guarded({ request, reply, db }, resource, key.id, async (tx: Db) =>
      showWebtask(await changeWebtask({ ...context, db: tx }, key, given, all)),
    )
  }
  app.post(WEBTASKS, {
    config: { right: 'write' },
    schema: { tags, summary: 'create a webtask', description: FLAWED, body: WebtaskBody, response },
    handler: async (request) =>
      showWebtask(await createWebtask(context, request.account, request.body, writerOf(request))),
  })
  app.put(ONE, {
    config: { right: 'write', etag: true },
    schema: {
      ...{ tags, summary: 'update a webtask', description: FLAWED },
      ...{ params: WebtaskParams, body: WebtaskBody, response },
    },
    handler: (request, reply) => change(request, reply, () => request.body, {}),
  })
  app.patch(ONE, {
    config: { right: 'write', etag: true },
    schema: {
      ...{ tags, summary: 'patch a webtask' },
      description: `a merge patch (RFC 7396), or operations (RFC 6902). ${FLAWED}`,
      ...{ params: WebtaskParams, response },
    },
    handler: (request: FastifyRequest, reply: FastifyReply) => {
      const given = (stored: StoredWebtask): WebtaskWrite => {
        const body = readBody(request, WebtaskBody, patched(request, showWebtask(stored)))
        if (body.name === undefined) throw badRequest('/name', 'is required')
        return { description: null, ...body }
      }
      return change(request, reply, given, { whole: true })
    },
  })
}
