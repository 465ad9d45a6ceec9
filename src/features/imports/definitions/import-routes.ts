import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { App } from '../../../http/app-type.ts'
import { BODY_LIMIT } from '../../../http/middleware/parsing.ts'
import { type Look, lookOf, tell, told } from '../../../http/resource/audit.ts'
import { PageQuery, readNumberKey, sendList, sent } from '../../../http/resource/list.ts'
import { preferredWait } from '../../../http/resource/prefer.ts'
import { guarded, type Resource, registerResource } from '../../../http/resource/resource.ts'
import { arriving } from '../../../http/streamed-body.ts'
import { readJson } from '../../../http/validation/json.ts'
import { readBody } from '../../../http/validation/validation.ts'
import { badRequest, invalid, notFound, Problem } from '../../../lib/errors/problem.ts'
import { readIntId } from '../../../lib/ids.ts'
import { answerAs, asked } from '../../contacts/records/media-types.ts'
import { startDryRun } from '../run/dry-runs.ts'
import {
  awaitIdle,
  cancelExecution,
  lastState,
  listExecutions,
  listRejects,
  POLL_MS,
  readExecution,
} from '../run/executions.ts'
import { type ImportRef, startRun, storeSource } from '../upload/source-files.ts'
import { removeUploads } from '../upload/uploads.ts'
import { readForm } from './forms.ts'
import { ImportFormat, ImportFormatBody } from './import-format-schemas.ts'
import {
  createImportFormat,
  deleteImportFormat,
  listImportFormats,
  lockImportFormat,
  readImportFormat,
  updateImportFormat,
} from './import-formats.ts'
import { Execution, Import, ImportBody, LastState, Source, SourceBody } from './import-schemas.ts'
import { createImport, deleteImport, listImports, lockImport, readImport, updateImport } from './imports.ts'

const tags = ['imports']
const IMPORT_TYPES = ['application/vnd.mperf.v8.import.v1+json']
const Place = Type.Object({ id: Type.String() })
const DryRun = Type.Object({
  dryRun: Type.Optional(Type.Boolean({ description: 'true: counts what the run would do, and writes nothing' })),
})
const ExecutionPlace = Type.Object({ id: Type.String(), execution: Type.String() })
/** How long the deletion of an import waits for its run to end. */
const DELETION_WAIT_MS = 5000
const MAX_WAIT_SECONDS = 120

function placeOf({ account, params }: FastifyRequest<{ Params: { id: string } }>): ImportRef {
  const id = readIntId(params.id)
  if (id === undefined) throw notFound('import', params.id)
  return { account, id }
}

/** A definition as it stands: its source is told by name and size. */
function lookAt({ account, id }: ImportRef): Look {
  return lookOf(
    (tx) => readImport(tx, account, id),
    (tx) => lockImport(tx, account, id),
  )
}

/** The definition that a run was started with, and the run. */
function startedLook({ account, id }: ImportRef) {
  return async (tx: Db, started: unknown) => ({
    ...(await readImport(tx, account, id)),
    execution: (started as Execution).id,
  })
}

function executionOf({ execution }: { execution: string }): number {
  const id = readIntId(execution)
  if (id === undefined) throw notFound('execution', execution)
  return id
}

/** Stores the file that the body of an upload holds as JSON: it is what a definition has in its `source`. */
async function feedData(
  context: Context,
  place: ImportRef,
  request: FastifyRequest,
  given: Record<string, unknown>,
): Promise<Source> {
  const source = readBody(request, SourceBody, given)
  if (source.data === undefined || source.data === null) {
    throw badRequest('/data', 'is required: the text of the file, or its contacts as flat maps')
  }
  try {
    return (await updateImport(context.db, place, { source: { ...source, type: 'file' } }, context)).source
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400 || !error.errors) throw error
    throw invalid(error.errors.map((fault) => ({ ...fault, pointer: fault.pointer.replace(/^\/source/, '') })))
  }
}

function announcedLength({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0)
}

/** The form of a request for an import, read as it arrives. Throws notFound before anything is read. */
async function formOf({ db }: Context, { account, id }: ImportRef, request: FastifyRequest) {
  await readImport(db, account, id)
  return readForm(request.headers, arriving(request), { read: readJson, maxBytes: BODY_LIMIT })
}

/** Files bypass the parsers: their routes read the request themselves. */
function fileRoutes(app: App, context: Context): void {
  const { db } = context
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.put('/imports/:id/source', {
    config: { right: 'write', audit: { object: 'import' } },
    onSend: answerAs(IMPORT_TYPES),
    schema: { tags, summary: 'upload the file of an import', params: Place, response: { 200: Source } },
    handler: async (request) => {
      const place = placeOf(request)
      const form = await formOf(context, place, request)
      const writing = { ...context, db: told(request, db, lookAt(place)) }
      if ('definition' in form) return feedData(writing, place, request, form.definition)
      return (await storeSource(writing, place, { ...form, announced: announcedLength(request) })).source
    },
  })
  app.post('/imports/:id/executions', {
    config: { right: 'write', streams: true, audit: { object: 'import' } },
    onSend: answerAs(IMPORT_TYPES),
    schema: { tags, summary: 'run an import', params: Place, querystring: DryRun, response: { 200: Execution } },
    handler: async (request) => {
      const place = placeOf(request)
      const form = await formOf(context, place, request)
      const given =
        'definition' in form
          ? { definition: readBody(request, ImportBody, form.definition) }
          : { ...form, announced: announcedLength(request) }
      const starting = { ...context, db: told(request, db, { ...lookAt(place), after: startedLook(place) }) }
      const { dryRun = false } = request.query
      let execution = await (dryRun ? startDryRun : startRun)(starting, place, given)
      const end = performance.now() + Math.min(preferredWait(request) ?? 0, MAX_WAIT_SECONDS) * 1000
      while (execution.state === 0 && performance.now() < end) {
        await delay(POLL_MS)
        execution = await readExecution(db, place, execution.id)
      }
      return execution
    },
  })
}

/** The types that ask for the executions themselves; a client that names none is an old one and gets the last state. */
const LIST_TYPES = ['application/json', 'application/x-ndjson']

function sendState(reply: FastifyReply, state: LastState): FastifyReply {
  return reply.type('application/json').send(JSON.stringify(state))
}

function executionListRoute(app: App, { db }: Context): void {
  app.get('/imports/:id/executions', {
    config: { right: 'read' },
    onSend: answerAs(IMPORT_TYPES),
    schema: {
      tags,
      summary:
        'the state of the last execution of an import; with application/json in Accept all of them, newest first',
      params: Place,
      querystring: Type.Interface([PageQuery], {
        dryRun: Type.Optional(Type.Boolean({ description: 'true: the dry runs, which are no runs otherwise' })),
      }),
      response: { 200: sent(Type.Union([Type.Array(Execution), LastState])) },
    },
    handler: async (request, reply) => {
      const place = placeOf(request)
      await readImport(db, place.account, place.id)
      const wantsList = asked(request, LIST_TYPES) !== undefined && asked(request, IMPORT_TYPES) === undefined
      const { dryRun = false } = request.query
      if (!wantsList) return sendState(reply, await lastState(db, place))
      return sendList(request, reply, {
        rows: (page: { after: number | undefined; limit: number | undefined }) =>
          listExecutions(db, { ...place, dryRun }, page),
        key: ({ id }) => id,
        readKey: readNumberKey,
      })
    },
  })
}

function executionRoutes(app: App, { db }: Context): void {
  const place = { params: ExecutionPlace }
  app.get('/imports/:id/executions/:execution', {
    config: { right: 'read' },
    onSend: answerAs(IMPORT_TYPES),
    schema: { tags, summary: 'read an execution', ...place, response: { 200: Execution } },
    handler: (request) => readExecution(db, placeOf(request), executionOf(request.params)),
  })
  app.delete('/imports/:id/executions/:execution', {
    config: { right: 'write', audit: { object: 'import' } },
    schema: { tags, summary: 'cancel an execution', ...place, response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      const execution = executionOf(request.params)
      const handle = told(request, db, { said: { cancelled: execution } })
      await inTransaction(handle, (tx) => cancelExecution(tx, placeOf(request), execution))
      return reply.code(204).send(null)
    },
  })
  app.get('/imports/:id/executions/:execution/rejects', {
    config: { right: 'read', revealing: true, audit: { object: 'import' } },
    schema: {
      tags,
      summary: 'the rejected lines of an execution, one row per fault',
      ...place,
      produces: ['text/csv'],
    },
    handler: async (request, reply): Promise<FastifyReply> => {
      const { id } = await readExecution(db, placeOf(request), executionOf(request.params))
      await tell(request, db, { said: { rejects: id } })
      return reply.type('text/csv; charset=utf-8').send(Readable.from(listRejects(db, id), { objectMode: false }))
    },
  })
}

/** Definitions of imports, and the formats of their files. */
function definitionRoutes(app: App, context: Context): void {
  const { db, config } = context
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, accepts: IMPORT_TYPES }
  })
  app.addHook('onSend', answerAs(IMPORT_TYPES))
  const resource: Resource<number, ImportBody, Import> = {
    path: '/imports',
    tag: 'imports',
    name: 'import',
    readId: readIntId,
    schema: { shown: Import, body: ImportBody },
    list: listImports,
    create: (tx, account, body) => createImport(tx, account, body, context),
    read: readImport,
    update: (tx, account, id, body) => updateImport(tx, { account, id }, body, context),
    lock: lockImport,
  }
  registerResource(app, db, resource)
  app.delete('/imports/:id', {
    config: { right: 'write', audit: { object: 'import' } },
    schema: { tags, summary: 'delete an import', params: Place, response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      const { account, id } = placeOf(request)
      await awaitIdle(db, { account, id }, DELETION_WAIT_MS)
      await guarded({ request, reply, db }, resource, id, (tx) => deleteImport(tx, account, id))
      await removeUploads({ config, account, import: id })
      return reply.code(204).send(null)
    },
  })
}

export function importRoutes(app: App, context: Context): void {
  app.register(async (scope) => definitionRoutes(scope, context))
  app.register(async (scope) => fileRoutes(scope, context))
  executionListRoute(app, context)
  executionRoutes(app, context)
  registerResource<number, ImportFormatBody, ImportFormat>(app, context.db, {
    path: '/importFormats',
    tag: 'imports',
    name: 'import format',
    readId: readIntId,
    schema: { shown: ImportFormat, body: ImportFormatBody },
    idOf: ({ identifier }) => identifier.guid,
    list: listImportFormats,
    create: createImportFormat,
    read: readImportFormat,
    update: updateImportFormat,
    remove: deleteImportFormat,
    lock: lockImportFormat,
  })
}
