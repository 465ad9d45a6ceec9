import { type RawBuilder, sql } from 'kysely'
import { formatContactId, parseContactId } from '../../../lib/ids.ts'
import type { CompileContext } from '../../../scripting/expressions/compile.ts'
import type { ScriptEvaluator } from '../../../scripting/expressions/scripts-port.ts'
import { parseCriteria } from '../../segments/criteria/criteria.ts'
import { loadMatchingContacts } from '../../segments/members/audience.ts'
import { countPushableCursors } from '../checks/pushable.ts'
import type { PipelineDefinition } from '../definition/definition.ts'
import { isArgumentPath } from '../definition/expressions.ts'
import type { RowBatch, RowBatches } from '../memory/batches.ts'
import { type CursorScope, compileCursor } from '../memory/cursors.ts'
import type { RowMemory } from '../memory/held.ts'
import type { PipelineEnvironment } from '../sql/environment.ts'
import { buildBoundedQuery, buildRelationSelection, type RawPipelineRow } from '../sql/output.ts'
import { createInnerEnvironment } from '../sql/sources.ts'
import { translatePipelineHead } from '../sql/translate.ts'
import type { PipelineRow } from '../values/values.ts'
import { createMemoryScope } from './environment.ts'
import { type ReadProgress, readStatementBatches, requireTimeLeft } from './reader.ts'
import {
  openPipelineScripts,
  type PipelineScriptContext,
  type PipelineScripts,
  runScriptOnRows,
} from './script-cursor.ts'

/** What all pipelines of one execution have in common. */
export interface PipelineExecutionState {
  compiling: CompileContext
  scripts: ScriptEvaluator
  place: PipelineScriptContext
  held: RowMemory
  progress: ReadProgress
  /** False: every cursor is done in memory, whatever the database could do. */
  pushes: boolean
}

/** How many leading cursors the database does; -1: nor does it give the rows of the source. */
export function countPushedCursors(
  pipeline: PipelineDefinition,
  { used }: PipelineEnvironment,
  { pushes }: Pick<PipelineExecutionState, 'pushes'>,
): number {
  if (pushes) return countPushableCursors(pipeline, used)
  return pipeline.source?.type === 'compilable' ? -1 : 0
}

/** Which contacts fit criteria, of some. */
async function fittingContacts(
  { db, account, present }: PipelineEnvironment,
  given: unknown,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { criteria } = await parseCriteria(db, account, given)
  const numbers = ids.flatMap((id) => parseContactId(id) ?? [])
  const matching = await loadMatchingContacts(db, account, criteria, { now: present.now, among: numbers })
  const { rows } = await sql<{ contact: number }>`
    select contact from (${matching}) m where contact = any(${numbers}::bigint[])`.execute(db)
  return new Set(rows.map(({ contact }) => formatContactId(contact)))
}

function cursorScope(
  { cursors }: PipelineDefinition,
  environment: PipelineEnvironment,
  { own, ...executing }: PipelineExecutionState & { own: PipelineScripts },
): CursorScope {
  const { held, progress } = executing
  const scripted = cursors.filter(({ type }) => type === 'script')
  const scope = createMemoryScope(environment, executing)
  return {
    ...scope,
    held,
    reading: environment,
    criteria: (criteria, ids) => progress.meter.wait(fittingContacts(environment, criteria, ids)),
    sourceRows: ({ source }) =>
      streamPipelineRows({ type: 'pipeline', source, cursors: [], parameters: [] }, environment, executing),
    countOf: async (given) =>
      (isArgumentPath(given) ? await environment.evaluate(given, environment) : given) as number | null,
    script: (cursor) => runScriptOnRows(scripted.indexOf(cursor), own, scope),
  }
}

async function* inTime(batches: RowBatches, progress: ReadProgress): AsyncGenerator<RowBatch, void> {
  for await (const batch of batches) {
    requireTimeLeft(progress)
    yield batch
  }
}

/** The rows of a pipeline: what the database can do is one statement, the rest is done in memory as rows are asked for. */
export async function* streamPipelineRows(
  pipeline: PipelineDefinition,
  environment: PipelineEnvironment,
  executing: PipelineExecutionState,
): AsyncGenerator<RowBatch, void> {
  const { progress } = executing
  const pushed = countPushedCursors(pipeline, environment, executing)
  let batches: RowBatches
  if (pushed >= 0) {
    const relation = await progress.meter.wait(translatePipelineHead(pipeline, pushed, environment))
    batches = readStatementBatches(environment.db, buildRelationSelection(relation), progress)
  } else if (pipeline.source?.type === 'compilable') {
    const inner = await progress.meter.wait(createInnerEnvironment(pipeline.source, environment))
    batches = streamPipelineRows(inner.pipeline, inner.environment, executing)
  } else throw new Error('Every other source is translated.')
  const own = openPipelineScripts(pipeline, executing.place)
  const scope = cursorScope(pipeline, environment, { ...executing, own })
  for (const cursor of pipeline.cursors.slice(Math.max(0, pushed))) batches = compileCursor(cursor, scope)(batches)
  try {
    yield* inTime(batches, progress)
  } finally {
    await own.end()
  }
}

/** Bytes of rows that are read at once, as texts of the database: more than any budget has. */
const MAX_READ_BYTES = 16 * 1024 * 1024

/** All rows of a pipeline that is one statement, `most` of them; undefined when they are too large. */
export async function readPushedRows(
  pipeline: PipelineDefinition,
  environment: PipelineEnvironment,
  { progress, most }: { progress: ReadProgress; most: number },
): Promise<PipelineRow[] | undefined> {
  const { meter } = progress
  const relation = await meter.wait(translatePipelineHead(pipeline, pipeline.cursors.length, environment))
  const selection = buildRelationSelection(relation, most)
  requireTimeLeft(progress)
  const query = buildBoundedQuery(selection, MAX_READ_BYTES) as RawBuilder<RawPipelineRow & { is_cut: boolean }>
  const { rows } = await meter.wait(query.execute(environment.db))
  progress.rowsRead += rows.length
  return rows.some((row) => row.is_cut) ? undefined : rows.map(selection.decode)
}
