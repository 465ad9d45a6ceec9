import { Type } from 'typebox'
import { badRequestProblem, conflictProblem } from '../../../lib/errors/problem.ts'
import { buildApiPath, type McpApiCaller, readApiResource, requestApiBody, toApiProblem } from '../ask.ts'
import {
  assertCallerRight,
  confirmableArguments,
  defineMcpTool,
  McpJsonObject,
  type McpToolContext,
  numericIdSchema,
  runWithConfirmation,
  toolArguments,
} from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'

/** Characters of a file that a call may bring. Larger files are uploaded in the console. */
const MAX_CSV_LENGTH = 1_000_000
/** Longest wait of a call for a dry run, in seconds. */
const DRY_RUN_WAIT_SECONDS = 20
/** Age of a dry run that still counts. */
const DRY_RUN_LIFETIME_MS = 10 * 60_000
/** Last runs that are shown. */
const SHOWN_EXECUTIONS = 5
/** Without it, the list of executions is the state of the last one. */
const ACCEPT_JSON = { accept: 'application/json' }

const ImportId = numericIdSchema('import')

interface Import {
  id: number
  updateDate: string | null
  source: { type: string; id: number | null }
  scheduler?: object | null
}

interface ImportExecution {
  id: number
  startDate: string
  /** 0: running. */
  state: number
  created: number
  updated: number
  rejected: number
  duplicates: number
  skipped: number
  blocked: number
  warnings: string[]
  error: { type: string; detail: string } | null
  source: { id: number | null }
}

interface ImportPreview {
  columns: unknown
  lines: unknown
  encoding: string
  separator: number
  vendor: string | null
  mapping: { features: unknown[] }
}

const importPath = (id: number): string => buildApiPath`/imports/${id}`

/** Executions of an import, newest first. */
function listExecutions(
  ask: McpApiCaller,
  id: number,
  query: { dryRun: boolean; limit: number },
): Promise<ImportExecution[]> {
  const path = `${importPath(id)}/executions`
  return requestApiBody<ImportExecution[]>(ask, { method: 'GET', path, query, headers: ACCEPT_JSON })
}

/** Preview of the file of an import; null for callers who see masked values. */
async function loadPreview(ask: McpApiCaller, id: number) {
  const reply = await ask({ method: 'GET', path: `${importPath(id)}/source/preview` })
  if (reply.status === 403) return null
  if (reply.status >= 400) throw toApiProblem(reply)
  const { columns, lines, encoding, separator, vendor, mapping } = reply.body as ImportPreview
  return { columns, lines, encoding, separator, vendor, features: mapping.features }
}

/** Throws conflict for an import that runs by itself: what is changed would be imported without a confirmation. */
async function assertRunByRequest(ask: McpApiCaller, id: number): Promise<void> {
  const { scheduler, source } = await readApiResource<Import>(ask, importPath(id))
  if (!scheduler && source.type !== 'ftp') return
  throw conflictProblem('import-scheduled', `Import ${id} runs by itself: a change would apply without a confirmation.`)
}

const draftImportTool = defineMcpTool({
  name: 'draft_import',
  title: 'Prepare an import',
  description:
    'Creates an import of a CSV text or, with `id`, changes one, and shows how its columns would be read. Nothing is imported.',
  effect: 'drafts',
  input: toolArguments({
    id: Type.Optional(ImportId),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    csv: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_CSV_LENGTH,
        description: 'Lines of the file, the first with headings.',
      }),
    ),
    features: Type.Optional(
      Type.Array(McpJsonObject('Such as {"type": "segmentation", "segmentId": 3}.'), {
        maxItems: 20,
        description:
          'What to do with the lines; replaces all features. Without `columns` among them, columns are assigned by their headings. See read_reference imports.',
      }),
    ),
  }),
  async run({ ask }, { id, name, csv, features }) {
    if (id === undefined && csv === undefined) throw badRequestProblem('csv', 'is required for a new import')
    if (id !== undefined) await assertRunByRequest(ask, id)
    const source = csv === undefined ? undefined : { type: 'file', data: csv, filename: 'assistant.csv' }
    const body = { ...(name && { name }), ...(features && { features }), ...(source && { source }) }
    const storedImport =
      id === undefined
        ? await requestApiBody<Import>(ask, { method: 'POST', path: '/imports', body: { name: 'Import', ...body } })
        : await requestApiBody<Import>(ask, { method: 'PUT', path: importPath(id), body })
    const preview = await loadPreview(ask, storedImport.id)
    const namesColumns = features?.some(({ type }) => type === 'columns') ?? false
    if (preview && !namesColumns && (csv !== undefined || features !== undefined))
      await requestApiBody(ask, {
        method: 'PUT',
        path: importPath(storedImport.id),
        body: { features: preview.features },
      })
    return { id: storedImport.id, created: id === undefined, preview: wrapUntrusted(preview) }
  },
})

/**
 * The dry run of an import as it is now, if it ran lately and no run has written since; absent otherwise. Throws conflict while a
 * run writes.
 */
async function findRecentDryRun(desk: McpToolContext, definition: Import): Promise<ImportExecution | undefined> {
  const { id, updateDate, source } = definition
  const [[dryRun], [lastRun]] = await Promise.all([
    listExecutions(desk.ask, id, { dryRun: true, limit: 1 }),
    listExecutions(desk.ask, id, { dryRun: false, limit: 1 }),
  ])
  if (lastRun?.state === 0) throw conflictProblem('import-running', `Import ${id} is running.`)
  if (!dryRun || (lastRun && lastRun.id > dryRun.id)) return undefined
  const startedAt = Date.parse(dryRun.startDate)
  const isUnchanged = dryRun.source.id === source.id && (updateDate === null || Date.parse(updateDate) < startedAt)
  return isUnchanged && desk.now() - startedAt < DRY_RUN_LIFETIME_MS ? dryRun : undefined
}

/** The dry run of an import as it is now. Throws conflict while this is not known yet, and where it would fail or import nothing. */
async function loadDryRun(desk: McpToolContext, definition: Import): Promise<ImportExecution> {
  const { id } = definition
  const dryRun =
    (await findRecentDryRun(desk, definition)) ??
    (await requestApiBody<ImportExecution>(desk.ask, {
      method: 'POST',
      path: `${importPath(id)}/executions`,
      query: { dryRun: true },
      body: {},
      headers: { ...ACCEPT_JSON, prefer: `wait=${DRY_RUN_WAIT_SECONDS}` },
    }))
  if (dryRun.state === 0) throw conflictProblem('import-running', `The dry run of import ${id} is still running.`)
  if (dryRun.error) {
    throw conflictProblem('import-failed', `A run of import ${id} would fail.`, { more: wrapUntrusted(dryRun.error) })
  }
  if (countImportedLines(dryRun) === 0)
    throw conflictProblem(
      'import-empty',
      `A run of import ${id} would import no line: ${dryRun.rejected} are rejected.`,
    )
  return dryRun
}

function countImportedLines({ created, updated, skipped }: ImportExecution): number {
  return created + updated + skipped
}

const startImportTool = defineMcpTool({
  name: 'start_import',
  title: 'Run an import',
  description: 'Runs an import on its last file. The first call tries it without writing and shows what it would do.',
  effect: 'acts',
  input: confirmableArguments({ id: ImportId }),
  async run(desk, args) {
    const { ask } = desk
    const definition = await readApiResource<Import>(ask, importPath(args.id))
    await assertCallerRight(desk, 'write')
    const dryRun = await loadDryRun(desk, definition)
    const { created, updated, skipped, rejected, duplicates, blocked, warnings } = dryRun
    const pendingCall = {
      tool: 'start_import',
      right: 'write',
      will: 'run the import',
      object: definition,
      shown: { import: definition, dryRun: { created, updated, skipped, rejected, duplicates, blocked, warnings } },
      count: countImportedLines(dryRun),
      of: 'lines that would be imported',
    } as const
    return runWithConfirmation(desk, { ...pendingCall, args }, async () => {
      const path = `${importPath(args.id)}/executions`
      const request = { method: 'POST', path, body: {}, headers: ACCEPT_JSON } as const
      const { id: execution, state } = await requestApiBody<ImportExecution>(ask, request)
      return { id: args.id, execution, running: state === 0 }
    })
  },
})

const readImportTool = defineMcpTool({
  name: 'read_import',
  title: 'Read an import and its runs',
  description: 'Reads an import and its last runs, with their progress, counts and errors.',
  effect: 'reads',
  input: toolArguments({ id: ImportId }),
  async run({ ask }, { id }) {
    const definition = await readApiResource(ask, importPath(id))
    const executions = await listExecutions(ask, id, { dryRun: false, limit: SHOWN_EXECUTIONS })
    const runs = executions.map((execution) => {
      const { content, source, ...run } = execution as ImportExecution & { content: unknown }
      return run
    })
    return { id, import: wrapUntrusted(definition), runs: wrapUntrusted(runs) }
  },
})

/** Tools that prepare, run and follow imports. */
export const mcpImportTools = [draftImportTool, startImportTool, readImportTool]
