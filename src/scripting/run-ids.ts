import type { AccountId } from '../lib/account.ts'
import { namedUuid, readUuid } from '../lib/ids.ts'

/** The id of a run of a workflow that a text stands for. */
export function runIdOf({ account, id: workflow }: { account: AccountId; id: number }, text: string): string {
  return readUuid(text) ?? namedUuid(`${account}:${workflow}:${text}`)
}

/** The id of the run that a stamp starts where nothing else names it: a stamp id starts one run of an account. */
export function runIdOfStamp(account: AccountId, stamp: string): string {
  return namedUuid(`${account}:stamp:${stamp}`)
}
