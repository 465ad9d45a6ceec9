import { conflict, Problem } from '../../../lib/errors/problem.ts'
import { type CustomEvent, publishCustom } from '../../notices/custom.ts'
import { MAX_DEPTH } from '../../workflows/engine/limits.ts'
import { contactsNamed } from '../reads/named-contacts.ts'
import { publishFault } from './publishing.ts'
import { unfit } from './unfit.ts'
import { isSound, type PreparedWrite, type WriteCaller, type WriteFunction, type WriteStep } from './write-types.ts'

/** Whom events are about: whom each names, or the contact of the run. */
async function subjectsOf({ tx, caller }: WriteStep, writes: readonly PreparedWrite[]) {
  const { account, contact } = caller
  const named = writes.map(({ args: [, , identification] }) => identification ?? null)
  const sought = named.filter((one) => one !== null)
  const found = (sought.length === 0 ? [] : await contactsNamed(tx, account, sought)).values()
  return named.map((one) => (one === null ? contact : found.next().value!))
}

function eventOf(
  { account, depth, workflow, stamp }: WriteCaller,
  { args: [name, given], answer }: PreparedWrite,
  contact: number | null,
): CustomEvent | Problem {
  const data = given ?? {}
  const fault = publishFault(name, data)
  if (fault) return unfit(fault.message)
  const { id } = answer as { id: string }
  return { account, name: name as string, contact, data: data as object, depth, workflow, stamp: { ...stamp, id } }
}

/** `events.publish(name, data, identification?)`: an event under the stamp that the script was given. */
export const publishEvent: WriteFunction = {
  async apply(step, writes) {
    const { tx, caller } = step
    if (caller.depth > MAX_DEPTH)
      throw conflict('recursion', `More than ${MAX_DEPTH} workflows followed from each other.`)
    const subjects = await subjectsOf(step, writes)
    const events = writes.map((write, index) => {
      const contact = subjects[index]!
      return contact instanceof Problem ? contact : eventOf(caller, write, contact)
    })
    await publishCustom(tx, events.filter(isSound))
    return events.map((one) => (one instanceof Problem ? one : null))
  },
}
