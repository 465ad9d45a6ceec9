import { type RawBuilder, sql } from 'kysely'
import { contactId, readContactId } from '../../../lib/ids.ts'
import type { Compiling } from '../../../scripting/expressions/compile.ts'
import type { ScriptPort } from '../../../scripting/expressions/scripts-port.ts'
import { readCriteria } from '../../segments/criteria/criteria.ts'
import { loadMatching } from '../../segments/members/audience.ts'
import { pushableCursors } from '../checks/pushable.ts'
import type { Pipeline } from '../definition/definition.ts'
import { isArgument } from '../definition/expressions.ts'
import type { Batch, Batches } from '../memory/batches.ts'
import { type CursorScope, transformOf } from '../memory/cursors.ts'
import type { Held } from '../memory/held.ts'
import type { Environment } from '../sql/environment.ts'
import { boundedQuery, type RawRow, selectionOf } from '../sql/output.ts'
import { innerEnvironment } from '../sql/sources.ts'
import { translate } from '../sql/translate.ts'
import type { Row } from '../values/values.ts'
import { memoryScope } from './environment.ts'
import { type Progress, readBatches, requireTime } from './reader.ts'
import { openPipelineScripts, type PipelineScripts, type ScriptPlace, scriptRows } from './script-cursor.ts'

/** What all pipelines of one execution have in common. */
export interface Executing {
  compiling: Compiling
  scripts: ScriptPort
  place: ScriptPlace
  held: Held
  progress: Progress
  /** False: every cursor is done in memory, whatever the database could do. */
  pushes: boolean
}

/** How many leading cursors the database does; -1: nor does it give the rows of the source. */
export function pushedCursors(
  pipeline: Pipeline,
  { used }: Environment,
  { pushes }: Pick<Executing, 'pushes'>,
): number {
  if (pushes) return pushableCursors(pipeline, used)
  return pipeline.source?.type === 'compilable' ? -1 : 0
}

/** Which contacts fit criteria, of some. */
async function fittingContacts(
  { db, account, present }: Environment,
  given: unknown,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { criteria } = await readCriteria(db, account, given)
  const numbers = ids.flatMap((id) => readContactId(id) ?? [])
  const matching = await loadMatching(db, account, criteria, { now: present.now, among: numbers })
  const { rows } = await sql<{ contact: number }>`
    select contact from (${matching}) m where contact = any(${numbers}::bigint[])`.execute(db)
  return new Set(rows.map(({ contact }) => contactId(contact)))
}

function cursorScope(
  { cursors }: Pipeline,
  environment: Environment,
  { own, ...executing }: Executing & { own: PipelineScripts },
): CursorScope {
  const { held, progress } = executing
  const scripted = cursors.filter(({ type }) => type === 'script')
  const scope = memoryScope(environment, executing)
  return {
    ...scope,
    held,
    reading: environment,
    criteria: (criteria, ids) => progress.meter.wait(fittingContacts(environment, criteria, ids)),
    sourceRows: ({ source }) =>
      rowsOf({ type: 'pipeline', source, cursors: [], parameters: [] }, environment, executing),
    countOf: async (given) =>
      (isArgument(given) ? await environment.evaluate(given, environment) : given) as number | null,
    script: (cursor) => scriptRows(scripted.indexOf(cursor), own, scope),
  }
}

async function* inTime(batches: Batches, progress: Progress): AsyncGenerator<Batch, void> {
  for await (const batch of batches) {
    requireTime(progress)
    yield batch
  }
}

/** The rows of a pipeline: what the database can do is one statement, the rest is done in memory as rows are asked for. */
export async function* rowsOf(
  pipeline: Pipeline,
  environment: Environment,
  executing: Executing,
): AsyncGenerator<Batch, void> {
  const { progress } = executing
  const pushed = pushedCursors(pipeline, environment, executing)
  let batches: Batches
  if (pushed >= 0) {
    const relation = await progress.meter.wait(translate(pipeline, pushed, environment))
    batches = readBatches(environment.db, selectionOf(relation), progress)
  } else if (pipeline.source?.type === 'compilable') {
    const inner = await progress.meter.wait(innerEnvironment(pipeline.source, environment))
    batches = rowsOf(inner.pipeline, inner.environment, executing)
  } else throw new Error('Every other source is translated.')
  const own = openPipelineScripts(pipeline, executing.place)
  const scope = cursorScope(pipeline, environment, { ...executing, own })
  for (const cursor of pipeline.cursors.slice(Math.max(0, pushed))) batches = transformOf(cursor, scope)(batches)
  try {
    yield* inTime(batches, progress)
  } finally {
    await own.end()
  }
}

/** Bytes of rows that are read at once, as texts of the database: more than any budget has. */
const MAX_READ_BYTES = 16 * 1024 * 1024

/** All rows of a pipeline that is one statement, `most` of them; undefined when they are too large. */
export async function readAtOnce(
  pipeline: Pipeline,
  environment: Environment,
  { progress, most }: { progress: Progress; most: number },
): Promise<Row[] | undefined> {
  const { meter } = progress
  const relation = await meter.wait(translate(pipeline, pipeline.cursors.length, environment))
  const selection = selectionOf(relation, most)
  requireTime(progress)
  const query = boundedQuery(selection, MAX_READ_BYTES) as RawBuilder<RawRow & { is_cut: boolean }>
  const { rows } = await meter.wait(query.execute(environment.db))
  progress.rowsRead += rows.length
  return rows.some((row) => row.is_cut) ? undefined : rows.map(selection.decode)
}
