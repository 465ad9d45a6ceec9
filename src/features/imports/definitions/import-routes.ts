import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { BODY_LIMIT_BYTES } from '../../../http/middleware/parsing.ts'
import { bytesSchema } from '../../../http/openapi/media.ts'
import {
  type AuditSnapshotOptions,
  createAuditedDb,
  createAuditSnapshot,
  recordStandaloneAudit,
} from '../../../http/resource/audit-requests.ts'
import { declareStreamedAnswer, ListPageQuery, parseNumericListKey, sendList } from '../../../http/resource/list.ts'
import { readPreferredWaitSeconds } from '../../../http/resource/prefer.ts'
import { changeResource, type RestResource, registerResource } from '../../../http/resource/resource.ts'
import { streamRequestBody } from '../../../http/streamed-body.ts'
import { parseRequestJson } from '../../../http/validation/json.ts'
import { parseRawBodyBySchema } from '../../../http/validation/validation.ts'
import { badRequestProblem, invalidRequestProblem, notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { parseInt32Id } from '../../../lib/ids.ts'
import { createMediaTypeHook, findAcceptedMediaType } from '../../contacts/records/media-types.ts'
import { importFormSchema, importUploadRefusals, importUploadTypes } from '../preview/preview-schemas.ts'
import { startDryRun } from '../run/dry-runs.ts'
import {
  cancelImportExecution,
  formatRejectsCsv,
  IMPORT_END_POLL_MS,
  listImportExecutions,
  readImportExecution,
  readLastImportState,
  waitForIdleImport,
} from '../run/executions.ts'
import { type ImportRef, startImportRun, storeImportSource } from '../upload/source-files.ts'
import { removeUploadDirectory } from '../upload/uploads.ts'
import { parseImportRequest } from './forms.ts'
import { ImportFormatBody, ImportFormatResponse } from './import-format-schemas.ts'
import {
  createImportFormat,
  deleteImportFormat,
  listImportFormats,
  lockImportFormat,
  readImportFormat,
  updateImportFormat,
} from './import-formats.ts'
import {
  ImportBody,
  ImportExecution,
  ImportResponse,
  ImportSource,
  ImportSourceBody,
  LastImportState,
} from './import-schemas.ts'
import { createImport, deleteImport, listImports, lockImport, readImport, updateImport } from './imports.ts'

const importWriteRefusals = {
  400: 'status-column-missing status-field-missing unicity-not-bound',
  409: 'name-taken import-running segment-dynamic',
}
/** Media types of the file that a run may come with. */
const executionTypes = {
  'application/octet-stream': bytesSchema,
  'application/json': ImportBody,
  'multipart/form-data': importFormSchema,
}
const importAnswerTypes = { 200: ['application/vnd.mperf.v8.import.v1+json'] }
const tags = ['imports']
const IMPORT_MEDIA_TYPES = ['application/vnd.mperf.v8.import.v1+json']
const ImportParams = Type.Object({ id: Type.String() })
const DryRunQuery = Type.Object({
  dryRun: Type.Optional(
    Type.Boolean({ description: 'True: count the results of the run and write nothing. Default: false.' }),
  ),
})
const ExecutionParams = Type.Object({ id: Type.String(), execution: Type.String() })
/** Maximum time in milliseconds that the deletion of an import waits for its run to end. */
const DELETION_WAIT_MS = 5000
const MAX_WAIT_SECONDS = 120

function parseImportPath({ account, params }: FastifyRequest<{ Params: { id: string } }>): ImportRef {
  const id = parseInt32Id(params.id)
  if (id === undefined) throw notFoundProblem('import', params.id)
  return { account, id }
}

/** Audit snapshot of the current definition. Its source is recorded by name and size. */
function snapshotImport({ account, id }: ImportRef): AuditSnapshotOptions {
  return createAuditSnapshot(
    (tx) => readImport(tx, account, id),
    (tx) => lockImport(tx, account, id),
  )
}

/** The definition that a run was started with, and the run. */
function snapshotStartedRun({ account, id }: ImportRef) {
  return async (tx: Db, started: unknown) => ({
    ...(await readImport(tx, account, id)),
    execution: (started as ImportExecution).id,
  })
}

function parseExecutionId({ execution }: { execution: string }): number {
  const id = parseInt32Id(execution)
  if (id === undefined) throw notFoundProblem('execution', execution)
  return id
}

/** Stores the file that the body of an upload holds as JSON: it is what a definition has in its `source`. */
async function storeJsonSource(
  context: ServiceContext,
  place: ImportRef,
  request: FastifyRequest,
  sourceBody: Record<string, unknown>,
): Promise<ImportSource> {
  const source = parseRawBodyBySchema(request, ImportSourceBody, sourceBody)
  if (source.data === undefined || source.data === null) {
    throw badRequestProblem('/data', 'is required: the text of the file, or its contacts as flat maps')
  }
  try {
    const { source: storedSource } = await inTransaction(context.db, async (tx) => {
      await lockImport(tx, place.account, place.id)
      return updateImport(tx, place, { source: { ...source, type: 'file' } }, context)
    })
    return storedSource
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400 || !error.errors) throw error
    throw invalidRequestProblem(
      error.errors.map((fault) => ({ ...fault, pointer: fault.pointer.replace(/^\/source/, '') })),
    )
  }
}

function readContentLength({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0)
}

/** The form of a request for an import, read as it arrives. Throws notFound before anything is read. */
async function parseImportForm({ db }: ServiceContext, { account, id }: ImportRef, request: FastifyRequest) {
  await readImport(db, account, id)
  return parseImportRequest(request.headers, streamRequestBody(request), {
    read: parseRequestJson,
    maxBytes: BODY_LIMIT_BYTES,
  })
}

/** Files bypass the parsers: their routes read the request themselves. */
const fileSchema = { tags, params: ImportParams, answerTypes: importAnswerTypes }

function registerFileRoutes(app: HttpApp, context: ServiceContext): void {
  const { db } = context
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.put('/imports/:id/source', {
    config: { right: 'write', audit: { object: 'import' } },
    onSend: createMediaTypeHook(IMPORT_MEDIA_TYPES),
    schema: {
      ...fileSchema,
      summary: 'Upload the file of an import',
      description:
        'Stores a file as the source of the import, for its next run: CSV or text, an Excel workbook, or ' +
        'an archive of those. It can be sent as the body, as a part of a form, or as text in `data` of a ' +
        'JSON object. A failed upload leaves the previous file in place, and a run in progress keeps its ' +
        'file. An `ftp` import becomes a `file` import.',
      operationId: 'uploadImportSource',
      refusals: { ...importUploadRefusals, 409: 'import-running' },
      bodyTypes: importUploadTypes,
      response: { 200: ImportSource },
    },
    handler: async (request) => {
      const importRef = parseImportPath(request)
      const form = await parseImportForm(context, importRef, request)
      const auditedContext = { ...context, db: createAuditedDb(request, db, snapshotImport(importRef)) }
      if ('definition' in form) return storeJsonSource(auditedContext, importRef, request, form.definition)
      return (await storeImportSource(auditedContext, importRef, { ...form, announced: readContentLength(request) }))
        .source
    },
  })
  app.post('/imports/:id/executions', {
    config: { right: 'write', streams: true, audit: { object: 'import' } },
    onSend: createMediaTypeHook(IMPORT_MEDIA_TYPES),
    schema: {
      ...fileSchema,
      summary: 'Run an import',
      description:
        'Starts a run and returns its execution at once; with `Prefer: wait`, waits for its end, at most ' +
        '120 seconds. A body with a file is stored as the new source and then imported; a JSON body ' +
        'changes the definition first, and the last file is imported. While a run of the import is in ' +
        'progress, or without a file, the answer is 409. With `dryRun=true`, nothing is written or kept.',
      operationId: 'executeImport',
      refusals: { 409: 'import-running no-file execution-ended', 410: 'file-gone' },
      bodyTypes: executionTypes,
      querystring: DryRunQuery,
      response: { 200: ImportExecution },
    },
    handler: async (request) => {
      const importRef = parseImportPath(request)
      const form = await parseImportForm(context, importRef, request)
      const runContent =
        'definition' in form
          ? { definition: parseRawBodyBySchema(request, ImportBody, form.definition) }
          : { ...form, announced: readContentLength(request) }
      const auditedStart = {
        ...context,
        db: createAuditedDb(request, db, { ...snapshotImport(importRef), after: snapshotStartedRun(importRef) }),
      }
      const { dryRun = false } = request.query
      let execution = await (dryRun ? startDryRun : startImportRun)(auditedStart, importRef, runContent)
      const deadline = performance.now() + Math.min(readPreferredWaitSeconds(request) ?? 0, MAX_WAIT_SECONDS) * 1000
      while (execution.state === 0 && performance.now() < deadline) {
        await delay(IMPORT_END_POLL_MS)
        execution = await readImportExecution(db, importRef, execution.id)
      }
      return execution
    },
  })
}

/** The types that ask for the executions themselves; a client that names none is an old one and gets the last state. */
const LIST_MEDIA_TYPES = ['application/json', 'application/x-ndjson']

function sendImportState(reply: FastifyReply, state: LastImportState): FastifyReply {
  return reply.type('application/json').send(JSON.stringify(state))
}

function registerExecutionList(app: HttpApp, { db }: ServiceContext): void {
  app.get('/imports/:id/executions', {
    config: { right: 'read' },
    onSend: createMediaTypeHook(IMPORT_MEDIA_TYPES),
    schema: {
      tags,
      summary: 'Get the last run of an import, or list all',
      description:
        'Returns only the state of the last run that writes. With `Accept: application/json`, returns all executions, ' +
        'newest first. The answer is 404 if there was no run and no list is requested.',
      answerTypes: importAnswerTypes,
      params: ImportParams,
      querystring: Type.Interface([ListPageQuery], {
        dryRun: Type.Optional(
          Type.Boolean({ description: 'True: return the dry runs. Default: false, the runs that write.' }),
        ),
      }),
      response: { 200: declareStreamedAnswer(Type.Union([Type.Array(ImportExecution), LastImportState])) },
    },
    handler: async (request, reply) => {
      const importRef = parseImportPath(request)
      await readImport(db, importRef.account, importRef.id)
      const wantsList =
        findAcceptedMediaType(request, LIST_MEDIA_TYPES) !== undefined &&
        findAcceptedMediaType(request, IMPORT_MEDIA_TYPES) === undefined
      const { dryRun = false } = request.query
      if (!wantsList) return sendImportState(reply, await readLastImportState(db, importRef))
      return sendList(request, reply, {
        rows: (page: { after: number | undefined; limit: number | undefined }) =>
          listImportExecutions(db, { ...importRef, dryRun }, page),
        key: ({ id }) => id,
        readKey: parseNumericListKey,
      })
    },
  })
}

function registerExecutionRoutes(app: HttpApp, { db }: ServiceContext): void {
  const executionSchema = { params: ExecutionParams }
  app.get('/imports/:id/executions/:execution', {
    config: { right: 'read' },
    onSend: createMediaTypeHook(IMPORT_MEDIA_TYPES),
    schema: {
      tags,
      summary: 'Get an execution of an import',
      description: 'Returns the state, the progress and the counters of a run.',
      answerTypes: importAnswerTypes,
      ...executionSchema,
      response: { 200: ImportExecution },
    },
    handler: (request) => readImportExecution(db, parseImportPath(request), parseExecutionId(request.params)),
  })
  app.delete('/imports/:id/executions/:execution', {
    config: { right: 'write', audit: { object: 'import' } },
    schema: {
      tags,
      summary: 'Cancel an execution of an import',
      description:
        'Stops the run after its current batch. The execution ends in state 2 with the error `cancelled`; ' +
        'batches that are written remain. The answer is 409 if the run has ended.',
      operationId: 'cancelImportExecution',
      refusals: { 409: 'import-running no-file execution-ended' },
      ...executionSchema,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const execution = parseExecutionId(request.params)
      const auditedDb = createAuditedDb(request, db, { said: { cancelled: execution } })
      await inTransaction(auditedDb, (tx) => cancelImportExecution(tx, parseImportPath(request), execution))
      return reply.code(204).send(null)
    },
  })
  app.get('/imports/:id/executions/:execution/rejects', {
    config: { right: 'read', revealing: true, audit: { object: 'import' } },
    schema: {
      tags,
      summary: 'Download the rejected lines of an execution',
      description:
        'Returns a CSV file with the columns `line`, `reason`, `column` and `content`, one row per fault, ' +
        'in the order of the imported file. Rejected lines are retained for the number of days in the ' +
        'contact settings.',
      operationId: 'listImportExecutionRejects',
      answerTypes: { 200: ['text/csv'] },
      ...executionSchema,
      produces: ['text/csv'],
    },
    handler: async (request, reply): Promise<FastifyReply> => {
      const { id } = await readImportExecution(db, parseImportPath(request), parseExecutionId(request.params))
      await recordStandaloneAudit(request, db, { said: { rejects: id } })
      return reply.type('text/csv; charset=utf-8').send(Readable.from(formatRejectsCsv(db, id), { objectMode: false }))
    },
  })
}

/** Definitions of imports, and the formats of their files. */
function registerDefinitionRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, config } = context
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, accepts: IMPORT_MEDIA_TYPES }
  })
  app.addHook('onSend', createMediaTypeHook(IMPORT_MEDIA_TYPES))
  const importResource: RestResource<number, ImportBody, ImportResponse> = {
    path: '/imports',
    tag: 'imports',
    name: 'import',
    readId: parseInt32Id,
    schema: { shown: ImportResponse, body: ImportBody },
    operations: {
      list: {
        summary: 'List the imports',
        description: 'Returns all imports of the account in ascending order of ID.',
        answerTypes: importAnswerTypes,
      },
      create: {
        summary: 'Create an import',
        description:
          'Creates an import and returns it; only `name` is required. A file in `source.data` is stored. Nothing is ' +
          'imported until a run starts, by request or by the scheduler.',
        refusals: importWriteRefusals,
        answerTypes: importAnswerTypes,
      },
      read: {
        summary: 'Get an import',
        description: 'Returns the definition of an import.',
        answerTypes: importAnswerTypes,
      },
      update: {
        summary: 'Update an import',
        description:
          'Changes the members given and returns the import; `features` replaces all features. A run in progress ' +
          'keeps the definition that it started with.',
        refusals: importWriteRefusals,
        answerTypes: importAnswerTypes,
      },
    },
    list: listImports,
    create: (tx, account, body) => createImport(tx, account, body, context),
    read: readImport,
    update: (tx, locked, body) => updateImport(tx, locked, body, context),
    async lock(tx, account, id) {
      await lockImport(tx, account, id)
      return readImport(tx, account, id)
    },
  }
  registerResource(app, db, importResource)
  app.delete('/imports/:id', {
    config: { right: 'write', audit: { object: 'import' } },
    schema: {
      tags,
      summary: 'Delete an import',
      description:
        'Deletes the import with its executions, rejected lines and files; imported contacts remain. Waits ' +
        'up to 5 seconds for a run in progress to end; if it does not, the answer is 409.',
      refusals: { 409: 'import-running' },
      params: ImportParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { account, id } = parseImportPath(request)
      await waitForIdleImport(db, { account, id }, DELETION_WAIT_MS)
      await changeResource({ request, db }, importResource, id, {
        async change(tx, locked) {
          await deleteImport(tx, locked)
          return null
        },
      })
      await removeUploadDirectory({ config, account, import: id })
      return reply.code(204).send(null)
    },
  })
}

export function importRoutes(app: HttpApp, context: ServiceContext): void {
  app.register(async (scope) => registerDefinitionRoutes(scope, context))
  app.register(async (scope) => registerFileRoutes(scope, context))
  registerExecutionList(app, context)
  registerExecutionRoutes(app, context)
  registerResource<number, ImportFormatBody, ImportFormatResponse>(app, context.db, {
    path: '/importFormats',
    tag: 'imports',
    name: 'import format',
    readId: parseInt32Id,
    schema: { shown: ImportFormatResponse, body: ImportFormatBody },
    operations: {
      list: {
        summary: 'List the import formats',
        description:
          'Returns the import formats that are saved for reuse (`savedImportFormat`), in ascending order of ID.',
      },
      create: {
        summary: 'Create an import format',
        description:
          'Creates an import format and returns it. A column or a field that is given twice, or an unknown field, is ' +
          'refused with 400.',
        refusals: importWriteRefusals,
      },
      read: { summary: 'Get an import format', description: 'Returns an import format.' },
      update: {
        summary: 'Update an import format',
        description:
          'Changes the members given and returns the import format. A run in progress keeps the previous format.',
        refusals: importWriteRefusals,
      },
      remove: {
        summary: 'Delete an import format',
        description: 'Deletes an import format. The answer is 409 while an import uses it.',
        refusals: { 409: 'format-linked' },
      },
    },
    idOf: ({ identifier }) => identifier.guid,
    list: listImportFormats,
    create: createImportFormat,
    read: readImportFormat,
    update: updateImportFormat,
    remove: deleteImportFormat,
    lock: lockImportFormat,
  })
}
