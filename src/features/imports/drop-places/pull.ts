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
const STILL_MS = 10_000

/** A poll of the drop place of an import; `seen`: the files at the poll before. */
export interface DropPlacePoll {
  account: AccountId
  import: number
  seen?: DroppedFile[]
}

interface Pulling {
  context: ServiceContext
  place: DropPlace
  of: DropPlacePoll
  folder: string
  signal: AbortSignal | undefined
}

/**
 * Whether a name fits a template with `*` for any characters and `?` for one. Goes back to the last star only, so that no
 * template takes long. As in a shell, a name that begins with a dot is only meant by a template that does.
 */
function matches(template: string, name: string): boolean {
  if (name.startsWith('.') && !template.startsWith('.')) return false
  let [at, place, star, mark] = [0, 0, -1, 0]
  while (place < name.length) {
    const wanted = template[at]
    if (wanted === '*') [star, mark, at] = [at, place, at + 1]
    else if (wanted === '?' || wanted === name[place]) [at, place] = [at + 1, place + 1]
    else if (star >= 0) [at, place, mark] = [star + 1, mark + 1, mark + 1]
    else return false
  }
  return /^\**$/.test(template.slice(at))
}

interface Pulled {
  execution: number
  folder: string
  filename: string
  state: number
}

/** Moves the files whose runs have ended: into `done`, or `error` for state 2. */
async function putAway({ context: { db }, place, of, signal }: Pulling): Promise<void> {
  const { rows } = await sql<Pulled>`
    select p.execution, p.folder, p.filename, e.state from import_pulls p join import_executions e on e.id = p.execution
    where p.import = ${of.import} and e.state <> 0`.execute(db)
  for (const { execution, folder, filename, state } of rows) {
    signal?.throwIfAborted()
    const isThere = (await place.list(folder)).some(({ name }) => name === filename)
    if (isThere) await place.move(folder, filename, state === 1 ? 'done' : 'error')
    await db.deleteFrom('import_pulls').where('execution', '=', execution).execute()
  }
}

async function isRunning({ context: { db }, of }: Pulling): Promise<boolean> {
  const running = db
    .selectFrom('import_executions')
    .select('id')
    .where('import', '=', of.import)
    .where('state', '=', 0)
    .where('dry_run', '=', false)
  return (await running.executeTakeFirst()) !== undefined
}

/** Records a run for a file that cannot even be stored, so that its sender learns why. */
async function recordFailure({ context, of }: Pulling, filename: string, problem: Problem): Promise<void> {
  const now = new Date(context.clock.now())
  const { features, source } = await readImport(context.db, of.account, of.import)
  const content: ImportExecutionContent = { features, bindings: null, source: { ...source, type: 'ftp', filename } }
  const values = { account: of.account, import: of.import, started_at: now, ended_at: now, state: 2 as const }
  const error = { type: problem.kind, detail: problem.detail }
  await inTransaction(context.db, async (tx) => {
    const insert = tx
      .insertInto('import_executions')
      .values({ ...values, content: toJsonbText(content), error: toJsonbText(error) })
    const { id } = await insert.returning('id').executeTakeFirstOrThrow()
    await recordImportRunEnd(tx, { id, account: of.account, import: of.import, content }, 2)
  })
}

/** The bytes of a file, until the signal aborts. */
async function* readWhole({ place, folder, signal }: Pulling, file: DroppedFile): AsyncGenerator<Buffer> {
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
async function take(pulling: Pulling, dropped: DroppedFile): Promise<boolean> {
  const { name } = dropped
  const { context, place, of, folder } = pulling
  const { db, clock, config } = context
  const directory = { config, account: of.account, import: of.import }
  const { importMaxBytes } = await readContactSettings(db, of.account)
  try {
    const store = () => storeUpload(directory, { name, chunks: readWhole(pulling, dropped) }, importMaxBytes)
    await withStoredUpload(db, directory, store, (file) =>
      inTransaction(db, async (tx) => {
        const now = new Date(clock.now())
        await lockImport(tx, of.account, of.import)
        await recordUpload(tx, directory, file, { now })
        const { id } = await startScheduledImport(tx, { account: of.account, id: of.import }, now)
        const values = { execution: id, account: of.account, import: of.import, folder, filename: name }
        await tx.insertInto('import_pulls').values(values).execute()
      }),
    )
    return true
  } catch (error) {
    // No fault of the file: it is taken at a later poll, if the import still exists.
    if (!(error instanceof Problem) || [404, 409, 503].includes(error.status)) throw error
    await recordFailure(pulling, name, error)
    await place.move(folder, name, 'error')
    return false
  }
}

/** The files of the folder that match the import and have no run under way, oldest first. */
async function wanted({ place, folder }: Pulling, { templateFilename = '*' }: ImportSource): Promise<DroppedFile[]> {
  const files = (await place.list(folder)).filter(({ name }) => matches(templateFilename, name))
  return files.sort((a, b) => a.modifiedAt - b.modifiedAt || (a.name < b.name ? -1 : 1))
}

async function lookAgain(
  db: Db,
  { account, import: id }: DropPlacePoll,
  seen: DroppedFile[],
  at: number,
): Promise<void> {
  const payload = { account, import: id, seen }
  const names = { key: `imports.pull ${id}`, queue: `imports.pull ${id}` }
  await enqueueTask(db, 'imports.pull', payload, { ...names, runAt: new Date(at) })
}

async function look(pulling: Pulling, source: ImportSource): Promise<void> {
  const { context, of } = pulling
  await putAway(pulling)
  if (await isRunning(pulling)) return
  const files = await wanted(pulling, source)
  if (files.length === 0) return
  const { seen = [] } = of
  const isStill = ({ name, bytes }: DroppedFile) => seen.some((file) => file.name === name && file.bytes === bytes)
  for (const file of files.filter(isStill)) if (await take(pulling, file)) return
  const moving = files.filter((file) => !isStill(file))
  if (moving.length > 0) await lookAgain(context.db, of, moving, context.clock.now() + STILL_MS)
}

async function findImport(db: Db, { account, import: id }: DropPlacePoll): Promise<ImportResponse | undefined> {
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
  of: DropPlacePoll,
  signal?: AbortSignal,
): Promise<void> {
  const { db, masterKeys, log } = context
  const definition = await findImport(db, of)
  if (!definition) return
  const { source } = definition
  const folder = resolveDropFolder(definition, source.folder ?? DEFAULT_DROP_FOLDER)
  if (folder === undefined) {
    log.warn({ account: of.account, import: of.import }, 'the folder of an import is outside its drop place')
    return
  }
  const place = await waitUnlessAborted(openDropPlace(db, masterKeys, of.account, signal), signal)
  if (!place) {
    log.warn({ account: of.account, import: of.import }, 'an import pulls its files, and its account has no drop place')
    return
  }
  try {
    const pulling = { context, place, of, folder, signal }
    if (source.type === 'ftp') await look(pulling, source)
    else await putAway(pulling)
  } finally {
    await place.close()
  }
}
