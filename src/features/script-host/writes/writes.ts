import type { Db } from '../../../database/connection/connect.ts'
import { inSavepoint } from '../../../database/connection/connect.ts'
import { Problem, renderProblem } from '../../../lib/errors/problem.ts'
import type { CollectedScriptWrite } from '../../../scripting/sandbox/types.ts'
import type { ScriptHostContext } from '../context.ts'
import { createTargetWrite, updateTargetWrite } from './write-contacts.ts'
import { publishEventWrite } from './write-events.ts'
import { addToSegmentWrite, removeFromSegmentWrite } from './write-members.ts'
import { sendWriteFunctions } from './write-sends.ts'
import type {
  PreparedScriptWrite,
  RefusedScriptWrites,
  ScriptWriteCaller,
  ScriptWriteFunction,
  ScriptWriteResult,
  ScriptWriteStep,
} from './write-types.ts'
import { executeWorkflowWrite } from './write-workflows.ts'

/** Functions of the host that write, by the names that scripts call them by. */
const writeFunctions: ReadonlyMap<string, ScriptWriteFunction> = new Map<string, ScriptWriteFunction>([
  ['targets.create', createTargetWrite],
  ['targets.update', updateTargetWrite],
  ['segments.add', addToSegmentWrite],
  ['segments.remove', removeFromSegmentWrite],
  ['events.publish', publishEventWrite],
  ...sendWriteFunctions,
  ['workflows.execute', executeWorkflowWrite],
])

/** Makes ready what a script has written, such as the contents of its messages. Not to be called in a transaction. */
export async function prepareScriptWrites(
  context: ScriptHostContext,
  caller: ScriptWriteCaller,
  writes: readonly CollectedScriptWrite[],
): Promise<PreparedScriptWrite[]> {
  const preparedValues = new Map<CollectedScriptWrite, unknown>()
  for (const [name, functionWrites] of Map.groupBy(writes, (write) => write.name)) {
    const preparations = await writeFunctions.get(name)?.prepare?.(context, caller, functionWrites)
    for (const [index, write] of functionWrites.entries()) preparedValues.set(write, preparations?.[index])
  }
  return writes.map((write) => ({ ...write, prepared: preparedValues.get(write) }))
}

/** Rolls back to where a script's writes began. */
class WritesRefusedError extends Error {
  readonly refused: RefusedScriptWrites
  constructor(refused: RefusedScriptWrites) {
    super(refused.problem.detail)
    this.refused = refused
  }
}

/** Writes of one function that follow each other. */
function groupConsecutiveWrites(
  writes: readonly PreparedScriptWrite[],
): { first: number; span: PreparedScriptWrite[] }[] {
  const writeSpans: { first: number; span: PreparedScriptWrite[] }[] = []
  for (const [index, write] of writes.entries()) {
    const lastSpan = writeSpans.at(-1)
    if (lastSpan?.span[0]?.name === write.name) lastSpan.span.push(write)
    else writeSpans.push({ first: index, span: [write] })
  }
  return writeSpans
}

/** A problem of all calls is that of the first. */
async function catchSpanProblem(
  work: () => ReturnType<ScriptWriteFunction['apply']>,
): ReturnType<ScriptWriteFunction['apply']> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) return [error]
    throw error
  }
}

async function applySpan(
  step: ScriptWriteStep,
  span: readonly PreparedScriptWrite[],
): Promise<readonly (Problem | null)[]> {
  const { name } = span[0]!
  const problemIndex = span.findIndex(({ prepared }) => prepared instanceof Problem)
  const validWrites = problemIndex < 0 ? span : span.slice(0, problemIndex)
  const writeFunction = writeFunctions.get(name)
  if (!writeFunction) throw new Error(`scripts write by ${name}, which nothing applies`)
  const spanResults =
    validWrites.length === 0 ? [] : await catchSpanProblem(() => writeFunction.apply(step, validWrites))
  return problemIndex < 0 ? spanResults : [...spanResults, span[problemIndex]!.prepared as Problem]
}

/**
 * Applies what a script has written, in the order of its calls, all or nothing: what is refused leaves the transaction as it was
 * before. A repeated run of the same seed writes the same stamps.
 */
export async function applyScriptWrites(
  tx: Db,
  context: ScriptHostContext,
  caller: ScriptWriteCaller,
  writes: readonly PreparedScriptWrite[],
): Promise<ScriptWriteResult> {
  const step: ScriptWriteStep = { tx, context, caller, events: [] }
  try {
    await inSavepoint(tx, async () => {
      for (const { first, span } of groupConsecutiveWrites(writes)) {
        const writeResults = await applySpan(step, span)
        const refusedIndex = writeResults.findIndex((spanProblem) => spanProblem !== null)
        const problem = writeResults[refusedIndex]
        if (problem)
          throw new WritesRefusedError({
            type: 'refused',
            call: first + refusedIndex + 1,
            name: span[0]!.name,
            problem,
          })
      }
    })
    return { type: 'applied', events: step.events }
  } catch (error) {
    if (error instanceof WritesRefusedError) return error.refused
    throw error
  }
}

/** The error that refused writes are to who ran their script. */
export function toScriptWriteError({ call, name, problem }: RefusedScriptWrites) {
  const message = `Call ${call}, ${name}: ${problem.detail}`
  return { type: 'write', message, call, problem: renderProblem(problem) } as const
}
