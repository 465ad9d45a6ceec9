import type { MessageStamp } from '../../../channels/message.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { SendOrigin } from '../../../lib/sources.ts'
import type { CollectedScriptWrite } from '../../../scripting/sandbox/types.ts'
import type { NewEvent } from '../../events/record/new-event.ts'
import type { ScriptHostContext } from '../context.ts'

/** Caller whose script writes: a workflow node, a webtask or a compilable. */
export interface ScriptWriteCaller {
  account: AccountId
  origin: SendOrigin
  /** Steps of workflows that what follows from it has behind it: of a run one more than that; 0 where a person asked for it. */
  depth: number
  /** Contact that `events.publish` is about if the call names no contact. */
  contact: number | null
  /** Its messages and events belong to the thread and set. */
  stamp: MessageStamp
  /** Workflow of the run; null if there is none. */
  workflow: number | null
  /** Milliseconds. */
  now: number
}

/** A write with what was made for it before the transaction, or the problem that it comes to. */
export interface PreparedScriptWrite extends CollectedScriptWrite {
  prepared: unknown
}

/** Why writes were not applied: the first call that could not be, from 1. */
export interface RefusedScriptWrites {
  type: 'refused'
  call: number
  name: string
  problem: Problem
}

/** Result of the writes of a script. The owner of the transaction appends `events` with all its other events, in one call at its end. */
export type ScriptWriteResult = { type: 'applied'; events: NewEvent[] } | RefusedScriptWrites

/** Context in which the writes of one script are applied. */
export interface ScriptWriteStep {
  tx: Db
  context: ScriptHostContext
  caller: ScriptWriteCaller
  /** Appended by the owner of the transaction. */
  events: NewEvent[]
}

/** A function of scripts that changes something. */
export interface ScriptWriteFunction {
  /** Makes what calls need before the transaction, in their order, or the problem that one comes to. */
  prepare?(
    context: ScriptHostContext,
    caller: ScriptWriteCaller,
    writes: readonly CollectedScriptWrite[],
  ): Promise<readonly unknown[]>
  /** Applies calls that follow each other; gives for each why it cannot be applied, null: it is. Throws Problem for all of them. */
  apply(step: ScriptWriteStep, writes: readonly PreparedScriptWrite[]): Promise<readonly (Problem | null)[]>
}

/** Returns true if a result is not a problem. */
export const isNotProblem = <T>(result: T | Problem): result is T => !(result instanceof Problem)
