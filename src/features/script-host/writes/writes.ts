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
const functions: ReadonlyMap<string, ScriptWriteFunction> = new Map<string, ScriptWriteFunction>([
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
  const prepared = new Map<CollectedScriptWrite, unknown>()
  for (const [name, own] of Map.groupBy(writes, (write) => write.name)) {
    const answers = await functions.get(name)?.prepare?.(context, caller, own)
    for (const [index, write] of own.entries()) prepared.set(write, answers?.[index])
  }
  return writes.map((write) => ({ ...write, prepared: prepared.get(write) }))
}

/** Rolls back to where a script's writes began. */
class Refused extends Error {
  readonly refused: RefusedScriptWrites
  constructor(refused: RefusedScriptWrites) {
    super(refused.problem.detail)
    this.refused = refused
  }
}

/** Writes of one function that follow each other. */
function spansOf(writes: readonly PreparedScriptWrite[]): { first: number; span: PreparedScriptWrite[] }[] {
  const spans: { first: number; span: PreparedScriptWrite[] }[] = []
  for (const [index, write] of writes.entries()) {
    const last = spans.at(-1)
    if (last?.span[0]?.name === write.name) last.span.push(write)
    else spans.push({ first: index, span: [write] })
  }
  return spans
}

/** A problem of all calls is that of the first. */
async function answersOf(
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
  const broken = span.findIndex(({ prepared }) => prepared instanceof Problem)
  const sound = broken < 0 ? span : span.slice(0, broken)
  const found = functions.get(name)
  if (!found) throw new Error(`scripts write by ${name}, which nothing applies`)
  const answers = sound.length === 0 ? [] : await answersOf(() => found.apply(step, sound))
  return broken < 0 ? answers : [...answers, span[broken]!.prepared as Problem]
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
      for (const { first, span } of spansOf(writes)) {
        const answers = await applySpan(step, span)
        const wrong = answers.findIndex((one) => one !== null)
        const problem = answers[wrong]
        if (problem) throw new Refused({ type: 'refused', call: first + wrong + 1, name: span[0]!.name, problem })
      }
    })
    return { type: 'applied', events: step.events }
  } catch (error) {
    if (error instanceof Refused) return error.refused
    throw error
  }
}

/** The error that refused writes are to who ran their script. */
export function toScriptWriteError({ call, name, problem }: RefusedScriptWrites) {
  const message = `Call ${call}, ${name}: ${problem.detail}`
  return { type: 'write', message, call, problem: renderProblem(problem) } as const
}
