import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connect.ts'
import type { App } from '../../../http/app-type.ts'
import { patched } from '../../../http/patch.ts'
import { guarded, type Resource, registerResource } from '../../../http/resource.ts'
import { readBody, wantsStrict } from '../../../http/validation.ts'
import { readUuid } from '../../../lib/ids.ts'
import { badRequest } from '../../../lib/problem.ts'
import { Flaws } from '../flaw-schemas.ts'
import { Compilable, CompilableBody, CompilableParams, CompilableQuery } from './compilable-schemas.ts'
import {
  type ChangeOptions,
  changeCompilable,
  compilableFlaws,
  createCompilable,
  deleteCompilable,
  duplicateCompilable,
  readCompilable,
  refreshStates,
  type Writer,
} from './compilables.ts'
import { showCompilable } from './documents.ts'
import { COMPILABLES, compilableKey } from './paths.ts'
import { type GivenCompilable, MAX_BYTES } from './reading.ts'
import { type CompilableFilter, listCompilables, lockCompilable, type StoredCompilable } from './stored.ts'

const ONE = `${COMPILABLES}/:id`
const tags = ['compilables']

/** Who writes, and how strictly it is read. */
function writerOf({ rights, headers }: FastifyRequest): Writer {
  return { rights: rights ?? [], strict: wantsStrict(headers.prefer) }
}

type CompilableResource = Resource<string, CompilableBody, Compilable>

function resourceOf(context: Context): CompilableResource {
  const read = async (db: Db, account: number, id: string) =>
    showCompilable(await readCompilable({ ...context, db }, { account, id }))
  return {
    path: COMPILABLES,
    tag: 'compilables',
    name: 'compilable',
    readId: readUuid,
    schema: { shown: Compilable, body: CompilableBody, query: CompilableQuery },
    async *list(db, account, page, { query }) {
      await refreshStates({ ...context, db }, account, null)
      const { name, state } = query as CompilableFilter
      for await (const row of listCompilables(db, account, { ...page, name, state })) yield showCompilable(row)
    },
    read,
    remove: (db, account, id) => deleteCompilable(db, { account, id }),
    lock: (db, account, id) => lockCompilable(db, { account, id }),
  }
}

type WriteOf = (stored: StoredCompilable) => GivenCompilable

function writeRoutes(app: App, context: Context, resource: CompilableResource): void {
  const { db } = context
  const response = { 200: Compilable }
  const change = async (tx: Db, request: FastifyRequest, given: WriteOf, options: Partial<ChangeOptions>) => {
    const all = { ...writerOf(request), ...options }
    return showCompilable(await changeCompilable({ ...context, db: tx }, compilableKey(request), given, all))
  }
  app.post(COMPILABLES, {
    config: { right: 'write' },
    bodyLimit: MAX_BYTES,
    schema: { tags, summary: 'create a compilable', body: CompilableBody, response },
    handler: async (request) =>
      showCompilable(await createCompilable(context, request.account, request.body, writerOf(request))),
  })
  app.put(ONE, {
    config: { right: 'write', etag: true },
    bodyLimit: MAX_BYTES,
    schema: { tags, summary: 'update a compilable', params: CompilableParams, body: CompilableBody, response },
    handler: (request, reply) =>
      guarded({ request, reply, db }, resource, compilableKey(request).id, (tx) =>
        change(tx, request, () => request.body, {}),
      ),
  })
  app.patch(ONE, {
    config: { right: 'write', etag: true },
    bodyLimit: MAX_BYTES,
    schema: {
      tags,
      summary: 'patch a compilable',
      description: 'a merge patch (RFC 7396), or operations (RFC 6902)',
      params: CompilableParams,
      response,
    },
    handler: (request: FastifyRequest, reply: FastifyReply) =>
      guarded({ request, reply, db }, resource, compilableKey(request).id, (tx) => {
        const given: WriteOf = (stored) => {
          const body = readBody(request, CompilableBody, patched(request, showCompilable(stored)))
          if (body.name === undefined) throw badRequest('/name', 'is required')
          return { description: null, ...body }
        }
        return change(tx, request, given, { whole: true })
      }),
  })
}

/** Compilables as a resource: what they are, their flaws and copies. */
export function compilableRoutes(app: App, context: Context): void {
  const resource = resourceOf(context)
  registerResource(app, context.db, resource)
  writeRoutes(app, context, resource)
  app.post(`${ONE}/duplication`, {
    config: { right: 'write' },
    schema: { tags, summary: 'copy a compilable', params: CompilableParams, response: { 200: Compilable } },
    handler: async (request) => showCompilable(await duplicateCompilable(context, compilableKey(request))),
  })
  app.get(`${ONE}/flaws`, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'what is wrong with a compilable',
      description: 'Errors prevent its execution.',
      params: CompilableParams,
      response: { 200: Flaws },
    },
    handler: (request) => compilableFlaws(context, compilableKey(request)),
  })
}
