import { conflictProblem, Problem } from '../../../lib/errors/problem.ts'
import { type CustomEvent, publishCustomEvents } from '../../notices/custom.ts'
import { MAX_WORKFLOW_DEPTH } from '../../workflows/engine/run-limits.ts'
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

/** Resolves the contacts that events are about: the contact that each call names, or the contact of the run. */
async function resolveSubjects({ tx, caller }: ScriptWriteStep, writes: readonly PreparedScriptWrite[]) {
  const { account, contact } = caller
  const identifications = writes.map(({ args: [, , identification] }) => identification ?? null)
  const knownIdentifications = identifications.filter((presentIdentification) => presentIdentification !== null)
  const subjectIds = (
    knownIdentifications.length === 0 ? [] : await findScriptContactIds(tx, account, knownIdentifications)
  ).values()
  return identifications.map((presentIdentification) =>
    presentIdentification === null ? contact : subjectIds.next().value!,
  )
}

function buildPublishedEvent(
  { account, depth, workflow, stamp }: ScriptWriteCaller,
  { args: [name, rawData], answer }: PreparedScriptWrite,
  contact: number | null,
): CustomEvent | Problem {
  const data = rawData ?? {}
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
      throw conflictProblem('recursion', `More than ${MAX_WORKFLOW_DEPTH} workflows triggered each other.`)
    const subjects = await resolveSubjects(step, writes)
    const events = writes.map((write, index) => {
      const contact = subjects[index]!
      return contact instanceof Problem ? contact : buildPublishedEvent(caller, write, contact)
    })
    await publishCustomEvents(tx, events.filter(isNotProblem))
    return events.map((eventOrProblem) => (eventOrProblem instanceof Problem ? eventOrProblem : null))
  },
}
