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
      list: {
        summary: 'List the compilables',
        description: 'Returns all compilables with their definitions and current states, by ascending ID.',
        refusals: compilableRefusals,
      },
      create: {
        summary: 'Create a compilable',
        description:
          'A definition with flaws is stored in state `draft`. Refused with 409 if the account has 1,000 compilables. Capabilities of a script require the corresponding rights (403).',
        refusals: compilableWriteRefusals,
      },
      read: {
        summary: 'Get a compilable',
        description:
          'Returns the compilable. Its state is checked again if a field, segment or other object that it uses has changed.',
        refusals: compilableRefusals,
      },
      update: {
        summary: 'Update a compilable',
        description:
          'Absent members keep their values. Refused with 409 if an active workflow uses the compilable and the result would have error flaws.',
        refusals: compilableWriteRefusals,
      },
      patch: { summary: 'Patch a compilable', refusals: compilableWriteRefusals },
      remove: {
        summary: 'Delete a compilable',
        description: 'Refused with 409 while active workflows or other compilables use it; `links` lists them.',
        refusals: compilableWriteRefusals,
      },
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
    description: 'Refused with 409 if an active workflow uses the compilable and the result would have error flaws.',
    create: (db, account, body, writer) => createCompilable({ ...context, db }, account, body, writer),
    change: (tx, locked, body, options) => changeCompilable({ ...context, db: tx }, locked, body, options),
  })
  app.post(`${COMPILABLE_PATH}/duplication`, {
    config: { right: 'write', audit: { object: 'compilable' } },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Duplicate a compilable',
      description:
        'Returns a copy with a new ID and a numbered name. Refused with 409 if the account has 1,000 compilables.',
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
      summary: 'List the flaws of a compilable',
      refusals: compilableRefusals,
      description:
        'Checks the stored definition without running it. Flaws of severity `error` prevent execution; warnings do not. An empty list: no flaws.',
      params: CompilableParams,
      response: { 200: DefinitionFlaws },
    },
    handler: (request) => readCompilableFlaws(context, readCompilableKey(request)),
  })
}
