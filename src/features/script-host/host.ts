import type { AccountId } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { isObject } from '../../lib/objects.ts'
import type { FetchPolicy } from '../../scripting/fetch/fetcher.ts'
import { scriptFetch } from '../../scripting/fetch/script-fetch.ts'
import { type Host, type HostCall, HostError } from '../../scripting/sandbox/types.ts'
import type { HostContext } from './context.ts'
import { reads } from './reads/reads.ts'

/** Whose script calls: a node of a workflow, a webtask, a compilable. */
export interface HostCaller {
  account: AccountId
  /** Milliseconds. */
  now: number
  /** What it may call, and with which secrets. `idempotencyKey`: of the run; each call carries it with its own number. */
  http: Pick<FetchPolicy, 'allow' | 'secrets' | 'idempotencyKey'>
  /** How many compilables executed each other until this script; 0 for a node and a webtask. */
  depth: number
}

/** Scripts below this one execute no compilables. */
const MAX_COMPILABLE_DEPTH = 5

function fetched({ fetcher }: HostContext, { account, http }: HostCaller, call: HostCall, signal: AbortSignal) {
  const { idempotencyKey, ...policy } = http
  const own = idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}:${call.number}` }
  return scriptFetch(fetcher, call.args, { account, ...policy, ...own }, signal)
}

function executed({ db, executeCompilable }: HostContext, { account, depth }: HostCaller, args: readonly unknown[]) {
  const [id, given = {}] = args
  if (depth >= MAX_COMPILABLE_DEPTH)
    throw new HostError(`Compilables execute each other ${MAX_COMPILABLE_DEPTH} deep at most.`)
  if (typeof id !== 'string') throw new HostError('There is no such compilable.')
  if (!isObject(given)) throw new HostError('The arguments of compilables.execute are an object.')
  return executeCompilable(db, { account, id, arguments: given, depth: depth + 1 })
}

async function answer(context: HostContext, caller: HostCaller, call: HostCall, signal: AbortSignal): Promise<unknown> {
  const { name, args } = call
  if (name === 'http.fetch') return fetched(context, caller, call, signal)
  if (name === 'compilables.execute') return executed(context, caller, args)
  const read = reads.get(name)
  if (!read) throw new HostError(`${name} cannot be called here.`)
  return read({ ...context, account: caller.account, now: caller.now }, args)
}

/** Answers what a script reads and fetches. */
export function hostOf(context: HostContext, caller: HostCaller): Host {
  return {
    async call(call, signal) {
      try {
        return await answer(context, caller, call, signal)
      } catch (error) {
        throw error instanceof Problem ? new HostError(error.detail) : error
      }
    },
  }
}
