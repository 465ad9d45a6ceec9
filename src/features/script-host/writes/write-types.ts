import type { MessageStamp } from '../../../channels/message.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { SendOrigin } from '../../../lib/sources.ts'
import type { CollectedScriptWrite } from '../../../scripting/sandbox/types.ts'
import type { NewEvent } from '../../events/record/new-event.ts'
import type { ScriptHostContext } from '../context.ts'

/** Whose script writes: a node of a workflow, a webtask, a compilable. */
export interface ScriptWriteCaller {
  account: AccountId
  origin: SendOrigin
  /** Steps of workflows that what follows from it has behind it: of a run one more than that; 0 where a person asked for it. */
  depth: number
  /** Whom `events.publish` is about when it names nobody. */
  contact: number | null
  /** Its messages and events belong to the thread and set. */
  stamp: MessageStamp
  /** Whose run it is; null: none. */
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

/** What writes came to. `events`: for the owner of the transaction to append with all its others, in one call at its end. */
export type ScriptWriteResult = { type: 'applied'; events: NewEvent[] } | RefusedScriptWrites

/** What writes of one script are applied in. */
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

/** Of answers of which some are problems: whether one is none. */
export const isNotProblem = <T>(one: T | Problem): one is T => !(one instanceof Problem)
