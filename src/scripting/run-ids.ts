import type { AccountId } from '../lib/account.ts'
import { createNamedUuid, parseUuid } from '../lib/ids.ts'

/** The id of a run of a workflow that a text stands for. */
export function toWorkflowRunId({ account, id: workflow }: { account: AccountId; id: number }, text: string): string {
  return parseUuid(text) ?? createNamedUuid(`${account}:${workflow}:${text}`)
}

/** The id of the run that a stamp starts where nothing else names it: a stamp id starts one run of an account. */
export function toRunIdFromStamp(account: AccountId, stamp: string): string {
  return createNamedUuid(`${account}:stamp:${stamp}`)
}
