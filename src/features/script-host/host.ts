import type { AccountId } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import type { ScriptFetchPolicy } from '../../scripting/fetch/fetcher.ts'
import { answerScriptFetch } from '../../scripting/fetch/script-fetch.ts'
import { type ScriptHost, type ScriptHostCall, ScriptHostError } from '../../scripting/sandbox/types.ts'
import type { ScriptHostContext } from './context.ts'
import { scriptReads } from './reads/reads.ts'

/** Caller of a script: a workflow node, a webtask or a compilable. */
export interface ScriptHostCaller {
  account: AccountId
  /** Milliseconds. */
  now: number
  /**
   * Hosts that the script may call, and its secrets. `idempotencyKey` identifies the run; each call carries it with the call's own number.
   */
  http: Pick<ScriptFetchPolicy, 'allow' | 'secrets' | 'idempotencyKey'>
  /** Number of compilables that executed each other before this script; 0 for a node and a webtask. */
  depth: number
}

/** Scripts below this one execute no compilables. */
const MAX_COMPILABLE_DEPTH = 5

function fetchForScript(
  { fetcher }: ScriptHostContext,
  { account, http }: ScriptHostCaller,
  call: ScriptHostCall,
  signal: AbortSignal,
) {
  const { idempotencyKey, ...fetchPolicy } = http
  const callIdempotency = idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}:${call.number}` }
  return answerScriptFetch(fetcher, call.args, { account, ...fetchPolicy, ...callIdempotency }, signal)
}

function executeForScript(
  { db, executeCompilable }: ScriptHostContext,
  { account, depth }: ScriptHostCaller,
  args: readonly unknown[],
) {
  const [id, argumentValues = {}] = args
  if (depth >= MAX_COMPILABLE_DEPTH)
    throw new ScriptHostError(`Compilables can execute each other at most ${MAX_COMPILABLE_DEPTH} levels deep.`)
  if (typeof id !== 'string') throw new ScriptHostError('There is no such compilable.')
  if (!isJsonObject(argumentValues))
    throw new ScriptHostError('The arguments of compilables.execute must be an object.')
  return executeCompilable(db, { account, id, arguments: argumentValues, depth: depth + 1 })
}

async function answerHostCall(
  context: ScriptHostContext,
  caller: ScriptHostCaller,
  call: ScriptHostCall,
  signal: AbortSignal,
): Promise<unknown> {
  const { name, args } = call
  if (name === 'http.fetch') return fetchForScript(context, caller, call, signal)
  if (name === 'compilables.execute') return executeForScript(context, caller, args)
  const readFunction = scriptReads.get(name)
  if (!readFunction) throw new ScriptHostError(`${name} cannot be called here.`)
  return readFunction({ ...context, account: caller.account, now: caller.now }, args)
}

/** Answers what a script reads and fetches. */
export function createScriptHost(context: ScriptHostContext, caller: ScriptHostCaller): ScriptHost {
  return {
    async call(call, signal) {
      try {
        return await answerHostCall(context, caller, call, signal)
      } catch (error) {
        throw error instanceof Problem ? new ScriptHostError(error.detail) : error
      }
    },
  }
}
