import type { Db } from '../../../database/connection/connect.ts'
import { inSavepoint } from '../../../database/connection/connect.ts'
import { Problem, shownProblem } from '../../../lib/errors/problem.ts'
import type { CollectedWrite } from '../../../scripting/sandbox/types.ts'
import type { HostContext } from '../context.ts'
import { createTarget, updateTarget } from './write-contacts.ts'
import { publishEvent } from './write-events.ts'
import { addToSegment, removeFromSegment } from './write-members.ts'
import { sendFunctions } from './write-sends.ts'
import type {
  AppliedWrites,
  PreparedWrite,
  RefusedWrites,
  WriteCaller,
  WriteFunction,
  WriteStep,
} from './write-types.ts'
import { executeWorkflow } from './write-workflows.ts'

/** Functions of the host that write, by the names that scripts call them by. */
const functions: ReadonlyMap<string, WriteFunction> = new Map<string, WriteFunction>([
  ['targets.create', createTarget],
  ['targets.update', updateTarget],
  ['segments.add', addToSegment],
  ['segments.remove', removeFromSegment],
  ['events.publish', publishEvent],
  ...sendFunctions,
  ['workflows.execute', executeWorkflow],
])

/** Makes ready what a script has written, such as the contents of its messages. Not to be called in a transaction. */
export async function prepareWrites(
  context: HostContext,
  caller: WriteCaller,
  writes: readonly CollectedWrite[],
): Promise<PreparedWrite[]> {
  const prepared = new Map<CollectedWrite, unknown>()
  for (const [name, own] of Map.groupBy(writes, (write) => write.name)) {
    const answers = await functions.get(name)?.prepare?.(context, caller, own)
    for (const [index, write] of own.entries()) prepared.set(write, answers?.[index])
  }
  return writes.map((write) => ({ ...write, prepared: prepared.get(write) }))
}

/** Rolls back to where a script's writes began. */
class Refused extends Error {
  readonly refused: RefusedWrites
  constructor(refused: RefusedWrites) {
    super(refused.problem.detail)
    this.refused = refused
  }
}

/** Writes of one function that follow each other. */
function spansOf(writes: readonly PreparedWrite[]): { first: number; span: PreparedWrite[] }[] {
  const spans: { first: number; span: PreparedWrite[] }[] = []
  for (const [index, write] of writes.entries()) {
    const last = spans.at(-1)
    if (last?.span[0]?.name === write.name) last.span.push(write)
    else spans.push({ first: index, span: [write] })
  }
  return spans
}

/** A problem of all calls is that of the first. */
async function answersOf(work: () => ReturnType<WriteFunction['apply']>): ReturnType<WriteFunction['apply']> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) return [error]
    throw error
  }
}

async function applySpan(step: WriteStep, span: readonly PreparedWrite[]): Promise<readonly (Problem | null)[]> {
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
export async function applyWrites(
  tx: Db,
  context: HostContext,
  caller: WriteCaller,
  writes: readonly PreparedWrite[],
): Promise<AppliedWrites> {
  const step: WriteStep = { tx, context, caller, events: [] }
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
export function writeError({ call, name, problem }: RefusedWrites) {
  const message = `Call ${call}, ${name}: ${problem.detail}`
  return { type: 'write', message, call, problem: shownProblem(problem) } as const
}
