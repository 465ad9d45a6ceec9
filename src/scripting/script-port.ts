import { randomUUID } from 'node:crypto'
import type { AccountId } from '../lib/account.ts'
import type { ScriptEvaluator } from './expressions/scripts-port.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { ExpressionWithGlobals, SandboxExpressionResult, ScriptError } from './sandbox/types.ts'

/** An expression, or a filter of a template, failed in the sandbox. */
export class ScriptFailure extends Error {
  readonly type: string
  readonly error: ScriptError
  /** It may go well another time: there was no place or no time for it. */
  readonly isTransient: boolean
  constructor(error: ScriptError) {
    const { type, message, limit, position } = error
    super(position ? `${message} (line ${position.line}, column ${position.column})` : message)
    this.type = type
    this.error = error
    this.isTransient = type === 'busy' || (type === 'timeout' && limit !== 'cpu')
  }
}

/** The expressions of each account, evaluated in the sandbox. */
export type ScriptEvaluators = (account: AccountId) => ScriptEvaluator

interface Queued {
  expression: ExpressionWithGlobals
  settle(result: SandboxExpressionResult): void
  fail(error: unknown): void
}

type Scope = Readonly<Record<string, unknown>>

/** What is random in an expression follows from its run, node and visit, so that a repeated step takes the same way. */
function seedOf(scope: Scope): string {
  const { id, node, visit } = (scope['run'] ?? {}) as { id?: unknown; node?: unknown; visit?: unknown }
  return typeof id === 'string' ? `${id}:${String(node)}:${String(visit)}` : randomUUID()
}

/** Constants of a script: those that the service keeps for itself are left out. */
const namesOf = (scope: Scope): Scope =>
  Object.fromEntries(Object.entries(scope).filter(([name]) => !name.startsWith('$')))

/** Opens the expressions of all accounts. What is asked for at a time crosses into the sandbox together. */
export function createScriptEvaluators(sandbox: Pick<Sandbox, 'evaluateEach'>): ScriptEvaluators {
  const queues = new Map<AccountId, Queued[]>()

  async function flush(account: AccountId): Promise<void> {
    const queue = queues.get(account) ?? []
    queues.delete(account)
    try {
      const given = queue.map(({ expression }) => expression)
      const results = await sandbox.evaluateEach(given, { account })
      for (const [index, { settle }] of queue.entries()) settle(results[index]!)
    } catch (error) {
      for (const { fail } of queue) fail(error)
    }
  }

  async function ask(account: AccountId, expression: ExpressionWithGlobals): Promise<unknown> {
    const result = await new Promise<SandboxExpressionResult>((settle, fail) => {
      const queue = queues.get(account)
      if (queue) queue.push({ expression, settle, fail })
      else {
        queues.set(account, [{ expression, settle, fail }])
        setImmediate(() => void flush(account))
      }
    })
    if (result.type === 'error') throw new ScriptFailure(result.error)
    return result.value
  }

  return (account) => {
    const named = new WeakMap<Scope, Scope>()
    /** One scope gives one object, so that it crosses once. */
    const globalsOf = (scope: Scope): Scope => {
      const known = named.get(scope) ?? namesOf(scope)
      named.set(scope, known)
      return known
    }
    return {
      evaluate: (source, scope) => ask(account, { source, globals: globalsOf(scope), seed: seedOf(scope) }),
      filter: ({ source, input, arguments: given, onSpent }) =>
        ask(account, {
          source: `(\n${source}\n)(...$given)`,
          globals: { $given: [input, ...given] },
          seed: randomUUID(),
          ...(onSpent && { onSpent }),
        }),
    }
  }
}
