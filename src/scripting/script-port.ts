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

interface QueuedExpression {
  expression: ExpressionWithGlobals
  settle(result: SandboxExpressionResult): void
  fail(error: unknown): void
}

type ExpressionScope = Readonly<Record<string, unknown>>

/** Derives the seed of an expression from its run, node and visit, so that a repeated step takes the same path. */
function deriveSeed(scope: ExpressionScope): string {
  const { id, node, visit } = (scope['run'] ?? {}) as { id?: unknown; node?: unknown; visit?: unknown }
  return typeof id === 'string' ? `${id}:${String(node)}:${String(visit)}` : randomUUID()
}

/** Constants of a script: those that the service keeps for itself are left out. */
const pickConstants = (scope: ExpressionScope): ExpressionScope =>
  Object.fromEntries(Object.entries(scope).filter(([name]) => !name.startsWith('$')))

/** Opens the expressions of all accounts. What is asked for at a time crosses into the sandbox together. */
export function createScriptEvaluators(sandbox: Pick<Sandbox, 'evaluateEach'>): ScriptEvaluators {
  const queues = new Map<AccountId, QueuedExpression[]>()

  async function flushQueue(account: AccountId): Promise<void> {
    const accountQueue = queues.get(account) ?? []
    queues.delete(account)
    try {
      const queuedExpressions = accountQueue.map(({ expression }) => expression)
      const results = await sandbox.evaluateEach(queuedExpressions, { account })
      for (const [index, { settle: resolveResult }] of accountQueue.entries()) resolveResult(results[index]!)
    } catch (error) {
      for (const { fail: rejectResult } of accountQueue) rejectResult(error)
    }
  }

  async function enqueueExpression(account: AccountId, expression: ExpressionWithGlobals): Promise<unknown> {
    const result = await new Promise<SandboxExpressionResult>((resolveResult, rejectResult) => {
      const accountQueue = queues.get(account)
      if (accountQueue) accountQueue.push({ expression, settle: resolveResult, fail: rejectResult })
      else {
        queues.set(account, [{ expression, settle: resolveResult, fail: rejectResult }])
        setImmediate(() => void flushQueue(account))
      }
    })
    if (result.type === 'error') throw new ScriptFailure(result.error)
    return result.value
  }

  return (account) => {
    const constantsByScope = new WeakMap<ExpressionScope, ExpressionScope>()
    /** One scope gives one object, so that it crosses once. */
    const globalsOf = (scope: ExpressionScope): ExpressionScope => {
      const scopeConstants = constantsByScope.get(scope) ?? pickConstants(scope)
      constantsByScope.set(scope, scopeConstants)
      return scopeConstants
    }
    return {
      evaluate: (source, scope) =>
        enqueueExpression(account, { source, globals: globalsOf(scope), seed: deriveSeed(scope) }),
      filter: ({ source, input, arguments: filterArguments, onSpent }) =>
        enqueueExpression(account, {
          source: `(\n${source}\n)(...$given)`,
          globals: { $given: [input, ...filterArguments] },
          seed: randomUUID(),
          ...(onSpent && { onSpent }),
        }),
    }
  }
}
