import { sql } from 'kysely'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import { enqueueTask } from '../../../jobs/enqueue.ts'
import type { AccountId } from '../../../lib/account.ts'
import { waitUnlessAborted } from '../../../lib/concurrency/unless-aborted.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { readContactSettings } from '../../contacts/settings/settings.ts'
import type { ImportExecutionContent, ImportResponse, ImportSource } from '../definitions/import-schemas.ts'
import { lockImport, readImport } from '../definitions/imports.ts'
import { startScheduledImport } from '../run/executions.ts'
import { recordImportRunEnd } from '../run/run-end.ts'
import { recordUpload, storeUpload, withStoredUpload } from '../upload/uploads.ts'
import { DEFAULT_DROP_FOLDER, resolveDropFolder } from './drop-folder.ts'
import type { DropPlace, DroppedFile } from './drop-place.ts'
import { openDropPlace } from './drop-places.ts'

/** A file is taken when it has not been written to for so long. */
const FILE_IDLE_MS = 10_000

/** A poll of the drop place of an import; `seen`: the files at the poll before. */
export interface DropPlacePoll {
  account: AccountId
  import: number
  seen?: DroppedFile[]
}

interface PullContext {
  context: ServiceContext
  place: DropPlace
  of: DropPlacePoll
  folder: string
  signal: AbortSignal | undefined
}

/**
 * True if a name matches a template with `*` for any characters and `?` for one. Backtracks to the last star only, so that no template
 * takes long. As in a shell, a name that begins with a dot only matches a template that does.
 */
function matchesTemplate(template: string, name: string): boolean {
  if (name.startsWith('.') && !template.startsWith('.')) return false
  let [nameIndex, templateIndex, starIndex, resumeIndex] = [0, 0, -1, 0]
  while (templateIndex < name.length) {
    const templateCharacter = template[nameIndex]
    if (templateCharacter === '*') [starIndex, resumeIndex, nameIndex] = [nameIndex, templateIndex, nameIndex + 1]
    else if (templateCharacter === '?' || templateCharacter === name[templateIndex])
      [nameIndex, templateIndex] = [nameIndex + 1, templateIndex + 1]
    else if (starIndex >= 0) [nameIndex, templateIndex, resumeIndex] = [starIndex + 1, resumeIndex + 1, resumeIndex + 1]
    else return false
  }
  return /^\**$/.test(template.slice(nameIndex))
}

interface PulledFile {
  execution: number
  folder: string
  filename: string
  state: number
}

/** Moves the files whose runs have ended: into `done`, or `error` for state 2. */
async function moveProcessedFiles({ context: { db }, place, of: poll, signal }: PullContext): Promise<void> {
  const { rows } = await sql<PulledFile>`
    select p.execution, p.folder, p.filename, e.state from import_pulls p join import_executions e on e.id = p.execution
    where p.import = ${poll.import} and e.state <> 0`.execute(db)
  for (const { execution, folder, filename, state } of rows) {
    signal?.throwIfAborted()
    const isPresent = (await place.list(folder)).some(({ name }) => name === filename)
    if (isPresent) await place.move(folder, filename, state === 1 ? 'done' : 'error')
    await db.deleteFrom('import_pulls').where('execution', '=', execution).execute()
  }
}

async function isImportRunning({ context: { db }, of: poll }: PullContext): Promise<boolean> {
  const activeRun = db
    .selectFrom('import_executions')
    .select('id')
    .where('import', '=', poll.import)
    .where('state', '=', 0)
    .where('dry_run', '=', false)
  return (await activeRun.executeTakeFirst()) !== undefined
}

/** Records a run for a file that cannot even be stored, so that its sender learns why. */
async function recordFailedPull({ context, of: poll }: PullContext, filename: string, problem: Problem): Promise<void> {
  const now = new Date(context.clock.now())
  const { features, source } = await readImport(context.db, poll.account, poll.import)
  const content: ImportExecutionContent = { features, bindings: null, source: { ...source, type: 'ftp', filename } }
  const values = { account: poll.account, import: poll.import, started_at: now, ended_at: now, state: 2 as const }
  const error = { type: problem.kind, detail: problem.detail }
  await inTransaction(context.db, async (tx) => {
    const insert = tx
      .insertInto('import_executions')
      .values({ ...values, content: toJsonbText(content), error: toJsonbText(error) })
    const { id } = await insert.returning('id').executeTakeFirstOrThrow()
    await recordImportRunEnd(tx, { id, account: poll.account, import: poll.import, content }, 2)
  })
}

/** The bytes of a file, until the signal aborts. */
async function* streamFile({ place, folder, signal }: PullContext, file: DroppedFile): AsyncGenerator<Buffer> {
  for await (const chunk of place.read(folder, file)) {
    signal?.throwIfAborted()
    yield chunk
  }
  signal?.throwIfAborted()
}

/**
 * Copies a file to the upload directory and starts its run. False for one that cannot
 * be imported: it is moved into `error`, with a run that says why.
 */
async function importDroppedFile(pullContext: PullContext, dropped: DroppedFile): Promise<boolean> {
  const { name } = dropped
  const { context, place, of: poll, folder } = pullContext
  const { db, clock, config } = context
  const directory = { config, account: poll.account, import: poll.import }
  const { importMaxBytes } = await readContactSettings(db, poll.account)
  try {
    const storeFile = () => storeUpload(directory, { name, chunks: streamFile(pullContext, dropped) }, importMaxBytes)
    await withStoredUpload(db, directory, storeFile, (file) =>
      inTransaction(db, async (tx) => {
        const now = new Date(clock.now())
        await lockImport(tx, poll.account, poll.import)
        await recordUpload(tx, directory, file, { now })
        const { id } = await startScheduledImport(tx, { account: poll.account, id: poll.import }, now)
        const values = { execution: id, account: poll.account, import: poll.import, folder, filename: name }
        await tx.insertInto('import_pulls').values(values).execute()
      }),
    )
    return true
  } catch (error) {
    // No fault of the file: it is taken at a later poll, if the import still exists.
    if (!(error instanceof Problem) || [404, 409, 503].includes(error.status)) throw error
    await recordFailedPull(pullContext, name, error)
    await place.move(folder, name, 'error')
    return false
  }
}

/** The files of the folder that match the import and have no run under way, oldest first. */
async function listMatchingFiles(
  { place, folder }: PullContext,
  { templateFilename = '*' }: ImportSource,
): Promise<DroppedFile[]> {
  const files = (await place.list(folder)).filter(({ name }) => matchesTemplate(templateFilename, name))
  return files.sort((a, b) => a.modifiedAt - b.modifiedAt || (a.name < b.name ? -1 : 1))
}

async function enqueueNextPoll(
  db: Db,
  { account, import: id }: DropPlacePoll,
  seenFiles: DroppedFile[],
  dueAt: number,
): Promise<void> {
  const payload = { account, import: id, seen: seenFiles }
  const taskNames = { key: `imports.pull ${id}`, queue: `imports.pull ${id}` }
  await enqueueTask(db, 'imports.pull', payload, { ...taskNames, runAt: new Date(dueAt) })
}

async function importIdleFiles(pullContext: PullContext, source: ImportSource): Promise<void> {
  const { context, of: poll } = pullContext
  await moveProcessedFiles(pullContext)
  if (await isImportRunning(pullContext)) return
  const matchingFiles = await listMatchingFiles(pullContext, source)
  if (matchingFiles.length === 0) return
  const { seen: seenFiles = [] } = poll
  const isUnchanged = ({ name, bytes }: DroppedFile) =>
    seenFiles.some((file) => file.name === name && file.bytes === bytes)
  for (const file of matchingFiles.filter(isUnchanged)) if (await importDroppedFile(pullContext, file)) return
  const changingFiles = matchingFiles.filter((file) => !isUnchanged(file))
  if (changingFiles.length > 0)
    await enqueueNextPoll(context.db, poll, changingFiles, context.clock.now() + FILE_IDLE_MS)
}

async function findPolledImport(db: Db, { account, import: id }: DropPlacePoll): Promise<ImportResponse | undefined> {
  try {
    return await readImport(db, account, id)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/**
 * Polls the drop place of an import: moves the files whose runs have ended, and starts a run for the oldest that has
 * been idle for ten seconds. When that run ends, the next poll follows. Rejects when the place is unavailable; the queue
 * retries. `signal` aborts; the file that is being copied is copied again.
 */
export async function pullDroppedFiles(
  context: ServiceContext,
  poll: DropPlacePoll,
  signal?: AbortSignal,
): Promise<void> {
  const { db, masterKeys, log } = context
  const definition = await findPolledImport(db, poll)
  if (!definition) return
  const { source } = definition
  const folder = resolveDropFolder(definition, source.folder ?? DEFAULT_DROP_FOLDER)
  if (folder === undefined) {
    log.warn({ account: poll.account, import: poll.import }, 'import not pulled: its folder is outside the drop place')
    return
  }
  const place = await waitUnlessAborted(openDropPlace(db, masterKeys, poll.account, signal), signal)
  if (!place) {
    log.warn({ account: poll.account, import: poll.import }, 'import not pulled: its account has no drop place')
    return
  }
  try {
    const pullContext = { context, place, of: poll, folder, signal }
    if (source.type === 'ftp') await importIdleFiles(pullContext, source)
    else await moveProcessedFiles(pullContext)
  } finally {
    await place.close()
  }
}
