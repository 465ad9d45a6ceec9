import { conflictProblem, Problem } from '../../../lib/errors/problem.ts'
import { type CustomEvent, publishCustomEvents } from '../../notices/custom.ts'
import { MAX_WORKFLOW_DEPTH } from '../../workflows/engine/limits.ts'
import { findScriptContactIds } from '../reads/named-contacts.ts'
import { findPublishFault } from './publishing.ts'
import { createArgumentProblem } from './unfit.ts'
import {
  isNotProblem,
  type PreparedScriptWrite,
  type ScriptWriteCaller,
  type ScriptWriteFunction,
  type ScriptWriteStep,
} from './write-types.ts'

/** Whom events are about: whom each names, or the contact of the run. */
async function subjectsOf({ tx, caller }: ScriptWriteStep, writes: readonly PreparedScriptWrite[]) {
  const { account, contact } = caller
  const named = writes.map(({ args: [, , identification] }) => identification ?? null)
  const sought = named.filter((one) => one !== null)
  const found = (sought.length === 0 ? [] : await findScriptContactIds(tx, account, sought)).values()
  return named.map((one) => (one === null ? contact : found.next().value!))
}

function eventOf(
  { account, depth, workflow, stamp }: ScriptWriteCaller,
  { args: [name, given], answer }: PreparedScriptWrite,
  contact: number | null,
): CustomEvent | Problem {
  const data = given ?? {}
  const fault = findPublishFault(name, data)
  if (fault) return createArgumentProblem(fault.message)
  const { id } = answer as { id: string }
  return { account, name: name as string, contact, data: data as object, depth, workflow, stamp: { ...stamp, id } }
}

/** `events.publish(name, data, identification?)`: an event under the stamp that the script was given. */
export const publishEventWrite: ScriptWriteFunction = {
  async apply(step, writes) {
    const { tx, caller } = step
    if (caller.depth > MAX_WORKFLOW_DEPTH)
      throw conflictProblem('recursion', `More than ${MAX_WORKFLOW_DEPTH} workflows followed from each other.`)
    const subjects = await subjectsOf(step, writes)
    const events = writes.map((write, index) => {
      const contact = subjects[index]!
      return contact instanceof Problem ? contact : eventOf(caller, write, contact)
    })
    await publishCustomEvents(tx, events.filter(isNotProblem))
    return events.map((one) => (one instanceof Problem ? one : null))
  },
}
