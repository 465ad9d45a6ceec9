import { type RawBuilder, sql } from 'kysely'
import { formatContactId, parseContactId } from '../../../lib/ids.ts'
import type { CompileContext } from '../../../scripting/expressions/compile.ts'
import type { ScriptEvaluator } from '../../../scripting/expressions/scripts-port.ts'
import { parseCriteria } from '../../segments/criteria/criteria.ts'
import { loadMatchingContacts } from '../../segments/members/segment-audience.ts'
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

/** State that all pipelines of one execution share. */
export interface PipelineExecutionState {
  compiling: CompileContext
  scripts: ScriptEvaluator
  place: PipelineScriptContext
  held: RowMemory
  progress: ReadProgress
  /** False: every cursor is done in memory, whatever the database could do. */
  pushes: boolean
}

/** Number of leading cursors that run in the database; -1 if it cannot read the source either. */
export function countPushedCursors(
  pipeline: PipelineDefinition,
  { used: usedCompilables }: PipelineEnvironment,
  { pushes }: Pick<PipelineExecutionState, 'pushes'>,
): number {
  if (pushes) return countPushableCursors(pipeline, usedCompilables)
  return pipeline.source?.type === 'compilable' ? -1 : 0
}

/** Filters contacts by criteria. */
async function findMatchingContacts(
  { db, account, present }: PipelineEnvironment,
  rawCriteria: unknown,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { criteria } = await parseCriteria(db, account, rawCriteria)
  const contactNumbers = ids.flatMap((id) => parseContactId(id) ?? [])
  const matchingIds = await loadMatchingContacts(db, account, criteria, { now: present.now, among: contactNumbers })
  const { rows } = await sql<{ contact: number }>`
    select contact from (${matchingIds}) m where contact = any(${contactNumbers}::bigint[])`.execute(db)
  return new Set(rows.map(({ contact }) => formatContactId(contact)))
}

function createCursorScope(
  { cursors }: PipelineDefinition,
  environment: PipelineEnvironment,
  { own: pipelineScripts, ...executing }: PipelineExecutionState & { own: PipelineScripts },
): CursorScope {
  const { held: rowMemory, progress } = executing
  const scriptCursors = cursors.filter(({ type }) => type === 'script')
  const scope = createMemoryScope(environment, executing)
  return {
    ...scope,
    held: rowMemory,
    reading: environment,
    criteria: (criteria, ids) => progress.meter.wait(findMatchingContacts(environment, criteria, ids)),
    sourceRows: ({ source }) =>
      streamPipelineRows({ type: 'pipeline', source, cursors: [], parameters: [] }, environment, executing),
    countOf: async (countExpression) =>
      (isArgumentPath(countExpression) ? await environment.evaluate(countExpression, environment) : countExpression) as
        | number
        | null,
    script: (cursor) => runScriptOnRows(scriptCursors.indexOf(cursor), pipelineScripts, scope),
  }
}

async function* withTimeLimit(batches: RowBatches, progress: ReadProgress): AsyncGenerator<RowBatch, void> {
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
  const pushedCount = countPushedCursors(pipeline, environment, executing)
  let batches: RowBatches
  if (pushedCount >= 0) {
    const relation = await progress.meter.wait(translatePipelineHead(pipeline, pushedCount, environment))
    batches = readStatementBatches(environment.db, buildRelationSelection(relation), progress)
  } else if (pipeline.source?.type === 'compilable') {
    const innerEnvironment = await progress.meter.wait(createInnerEnvironment(pipeline.source, environment))
    batches = streamPipelineRows(innerEnvironment.pipeline, innerEnvironment.environment, executing)
  } else throw new Error('Every other source is translated.')
  const pipelineScripts = openPipelineScripts(pipeline, executing.place)
  const scope = createCursorScope(pipeline, environment, { ...executing, own: pipelineScripts })
  for (const cursor of pipeline.cursors.slice(Math.max(0, pushedCount))) batches = compileCursor(cursor, scope)(batches)
  try {
    yield* withTimeLimit(batches, progress)
  } finally {
    await pipelineScripts.end()
  }
}

/** Bytes of rows that are read at once, as texts of the database: more than any budget has. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024

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
  const query = buildBoundedQuery(selection, MAX_BATCH_BYTES) as RawBuilder<RawPipelineRow & { is_cut: boolean }>
  const { rows } = await meter.wait(query.execute(environment.db))
  progress.rowsRead += rows.length
  return rows.some((row) => row.is_cut) ? undefined : rows.map(selection.decode)
}
