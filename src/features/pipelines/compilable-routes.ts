import type { Context } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { copyLook, told } from '../../http/resource/audit.ts'
import { registerDefinitionWrites } from '../../http/resource/definition-writes.ts'
import { type Resource, registerResource } from '../../http/resource/resource.ts'
import { readUuid } from '../../lib/ids.ts'
import { Flaws } from '../../scripting/flaw-schemas.ts'
import { compilableRule } from '../script-host/live-scripts.ts'
import { Compilable, CompilableBody, CompilableParams, CompilableQuery } from './compilable-schemas.ts'
import {
  changeCompilable,
  compilableFlaws,
  createCompilable,
  deleteCompilable,
  duplicateCompilable,
  readCompilable,
  refreshStates,
} from './compilables.ts'
import { showCompilable } from './documents.ts'
import { COMPILABLES, compilableKey } from './paths.ts'
import { MAX_BYTES } from './reading.ts'
import { type CompilableFilter, listCompilables, lockCompilable, type StoredCompilable } from './stored.ts'

const ONE = `${COMPILABLES}/:id`
const tags = ['compilables']

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
    live: compilableRule,
  }
}

/** Compilables as a resource: what they are, their flaws and copies. */
export function compilableRoutes(app: App, context: Context): void {
  const resource = resourceOf(context)
  registerResource(app, context.db, resource)
  registerDefinitionWrites(app, context.db, {
    ...{ resource, bodyLimit: MAX_BYTES, show: showCompilable },
    create: (db, account, body, writer) => createCompilable({ ...context, db }, account, body, writer),
    change: (tx, key, given, options) => changeCompilable({ ...context, db: tx }, key, given, options),
  })
  app.post(`${ONE}/duplication`, {
    config: { right: 'write', audit: { object: 'compilable' } },
    schema: { tags, summary: 'copy a compilable', params: CompilableParams, response: { 200: Compilable } },
    handler: async (request) => {
      const look = copyLook(request, (copy) => showCompilable(copy as StoredCompilable))
      const copying = { ...context, db: told(request, context.db, look) }
      return showCompilable(await duplicateCompilable(copying, compilableKey(request)))
    },
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
