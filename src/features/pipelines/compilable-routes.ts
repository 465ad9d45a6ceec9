import type { ServiceContext } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { createAuditedDb, createCopySnapshot } from '../../http/resource/audit-requests.ts'
import { registerDefinitionWrites } from '../../http/resource/definition-writes.ts'
import { type RestResource, registerResource } from '../../http/resource/resource.ts'
import { parseUuid } from '../../lib/ids.ts'
import { DefinitionFlaws } from '../../scripting/flaw-schemas.ts'
import { liveCompilableRule } from '../script-host/live-scripts.ts'
import {
  CompilableBody,
  CompilableDocument,
  CompilableParams,
  CompilableQuery,
  compilableRefusals,
  compilableWriteRefusals,
} from './compilable-schemas.ts'
import {
  changeCompilable,
  createCompilable,
  deleteCompilable,
  duplicateCompilable,
  readCompilable,
  readCompilableFlaws,
  refreshCompilableStates,
} from './compilables.ts'
import { showCompilable } from './documents.ts'
import { COMPILABLES_PATH, readCompilableKey } from './paths.ts'
import { MAX_COMPILABLE_BYTES } from './reading.ts'
import { type CompilableFilter, listCompilables, lockCompilable, type StoredCompilable } from './stored.ts'

const COMPILABLE_PATH = `${COMPILABLES_PATH}/:id`
const ROUTE_TAGS = ['compilables']

type CompilableResource = RestResource<string, CompilableBody, CompilableDocument, StoredCompilable> & {
  show(compilable: StoredCompilable): CompilableDocument
}

function createResource(context: ServiceContext): CompilableResource {
  const readDocument = async (db: Db, account: number, id: string) =>
    showCompilable(await readCompilable({ ...context, db }, { account, id }))
  return {
    path: COMPILABLES_PATH,
    tag: 'compilables',
    name: 'compilable',
    readId: parseUuid,
    schema: { shown: CompilableDocument, body: CompilableBody, query: CompilableQuery },
    operations: {
      list: { refusals: compilableRefusals },
      create: { refusals: compilableWriteRefusals },
      read: { refusals: compilableRefusals },
      update: { refusals: compilableWriteRefusals },
      patch: { refusals: compilableWriteRefusals },
      remove: { refusals: compilableWriteRefusals },
    },
    async *list(db, account, page, { query }) {
      await refreshCompilableStates({ ...context, db }, account, null)
      const { name, state } = query as CompilableFilter
      for await (const row of listCompilables(db, account, { ...page, name, state })) yield showCompilable(row)
    },
    read: readDocument,
    remove: deleteCompilable,
    async lock(tx, account, id) {
      await lockCompilable(tx, { account, id })
      return readCompilable({ ...context, db: tx }, { account, id })
    },
    show: (compilable) => showCompilable(compilable),
    live: liveCompilableRule,
  }
}

/** Compilables as a resource: what they are, their flaws and copies. */
export function compilableRoutes(app: HttpApp, context: ServiceContext): void {
  const resource = createResource(context)
  registerResource(app, context.db, resource)
  registerDefinitionWrites(app, context.db, {
    resource,
    bodyLimit: MAX_COMPILABLE_BYTES,
    create: (db, account, body, writer) => createCompilable({ ...context, db }, account, body, writer),
    change: (tx, locked, body, options) => changeCompilable({ ...context, db: tx }, locked, body, options),
  })
  app.post(`${COMPILABLE_PATH}/duplication`, {
    config: { right: 'write', audit: { object: 'compilable' } },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'copy a compilable',
      refusals: compilableWriteRefusals,
      params: CompilableParams,
      response: { 200: CompilableDocument },
    },
    handler: async (request) => {
      const copySnapshot = createCopySnapshot(request, (copy) => showCompilable(copy as StoredCompilable))
      const copyContext = { ...context, db: createAuditedDb(request, context.db, copySnapshot) }
      return showCompilable(await duplicateCompilable(copyContext, readCompilableKey(request)))
    },
  })
  app.get(`${COMPILABLE_PATH}/flaws`, {
    config: { right: 'read' },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'what is wrong with a compilable',
      refusals: compilableRefusals,
      description: 'Errors prevent its execution.',
      params: CompilableParams,
      response: { 200: DefinitionFlaws },
    },
    handler: (request) => readCompilableFlaws(context, readCompilableKey(request)),
  })
}
