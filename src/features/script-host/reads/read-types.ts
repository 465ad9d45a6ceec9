import type { AccountId } from '../../../lib/account.ts'
import type { ScriptHostContext } from '../context.ts'

/** Dependencies of the read functions of scripts. */
export interface ScriptReadContext extends Pick<ScriptHostContext, 'db' | 'cache'> {
  account: AccountId
  /** Milliseconds. */
  now: number
}

/** A function of scripts that reads. Throws ScriptHostError, and Problem for what is no identification. */
export type ScriptReadFunction = (context: ScriptReadContext, args: readonly unknown[]) => Promise<unknown>
