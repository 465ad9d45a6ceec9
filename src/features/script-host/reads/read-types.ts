import type { AccountId } from '../../../lib/account.ts'
import type { HostContext } from '../context.ts'

/** What reads of scripts work with. */
export interface ReadContext extends Pick<HostContext, 'db' | 'cache'> {
  account: AccountId
  /** Milliseconds. */
  now: number
}

/** A function of scripts that reads. Throws HostError, and Problem for what is no identification. */
export type Read = (context: ReadContext, args: readonly unknown[]) => Promise<unknown>
