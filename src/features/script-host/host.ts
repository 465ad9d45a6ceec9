import type { AccountId } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import type { ScriptFetchPolicy } from '../../scripting/fetch/fetcher.ts'
import { answerScriptFetch } from '../../scripting/fetch/script-fetch.ts'
import { type ScriptHost, type ScriptHostCall, ScriptHostError } from '../../scripting/sandbox/types.ts'
import type { ScriptHostContext } from './context.ts'
import { scriptReads } from './reads/reads.ts'

/** Whose script calls: a node of a workflow, a webtask, a compilable. */
export interface ScriptHostCaller {
  account: AccountId
  /** Milliseconds. */
  now: number
  /** What it may call, and with which secrets. `idempotencyKey`: of the run; each call carries it with its own number. */
  http: Pick<ScriptFetchPolicy, 'allow' | 'secrets' | 'idempotencyKey'>
  /** How many compilables executed each other until this script; 0 for a node and a webtask. */
  depth: number
}

/** Scripts below this one execute no compilables. */
const MAX_COMPILABLE_DEPTH = 5

function fetched(
  { fetcher }: ScriptHostContext,
  { account, http }: ScriptHostCaller,
  call: ScriptHostCall,
  signal: AbortSignal,
) {
  const { idempotencyKey, ...policy } = http
  const own = idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}:${call.number}` }
  return answerScriptFetch(fetcher, call.args, { account, ...policy, ...own }, signal)
}

function executed(
  { db, executeCompilable }: ScriptHostContext,
  { account, depth }: ScriptHostCaller,
  args: readonly unknown[],
) {
  const [id, given = {}] = args
  if (depth >= MAX_COMPILABLE_DEPTH)
    throw new ScriptHostError(`Compilables execute each other ${MAX_COMPILABLE_DEPTH} deep at most.`)
  if (typeof id !== 'string') throw new ScriptHostError('There is no such compilable.')
  if (!isJsonObject(given)) throw new ScriptHostError('The arguments of compilables.execute are an object.')
  return executeCompilable(db, { account, id, arguments: given, depth: depth + 1 })
}

async function answer(
  context: ScriptHostContext,
  caller: ScriptHostCaller,
  call: ScriptHostCall,
  signal: AbortSignal,
): Promise<unknown> {
  const { name, args } = call
  if (name === 'http.fetch') return fetched(context, caller, call, signal)
  if (name === 'compilables.execute') return executed(context, caller, args)
  const read = scriptReads.get(name)
  if (!read) throw new ScriptHostError(`${name} cannot be called here.`)
  return read({ ...context, account: caller.account, now: caller.now }, args)
}

/** Answers what a script reads and fetches. */
export function createScriptHost(context: ScriptHostContext, caller: ScriptHostCaller): ScriptHost {
  return {
    async call(call, signal) {
      try {
        return await answer(context, caller, call, signal)
      } catch (error) {
        throw error instanceof Problem ? new ScriptHostError(error.detail) : error
      }
    },
  }
}
