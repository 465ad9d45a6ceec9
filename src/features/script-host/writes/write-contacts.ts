import { splitByRepeatedKey } from '../../../lib/concurrency/split-by-key.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { parseContactId } from '../../../lib/ids.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { type ContactChangeRequest, updateContacts } from '../../contacts/bulk/own-changes.ts'
import { createContacts } from '../../contacts/bulk/own-creations.ts'
import type { FlatMap } from '../../contacts/records/contact-schemas.ts'
import { findScriptContactIds } from '../reads/named-contacts.ts'
import { createWriteCause } from './causes.ts'
import { createArgumentProblem } from './unfit.ts'
import { isNotProblem, type ScriptWriteFunction } from './write-types.ts'

/** The fields of a contact that a call gives. */
const requireContactFields = (rawFields: unknown): FlatMap | Problem =>
  isJsonObject(rawFields)
    ? (rawFields as FlatMap)
    : createArgumentProblem('The fields of a contact must be an object, by ID or name.')

/** `targets.create(fields)`: a contact under the id that the script was given. */
export const createTargetWrite: ScriptWriteFunction = {
  async apply({ tx, context, caller }, writes) {
    const { account, now } = caller
    const fieldBodies = writes.map(({ args: [fields] }) => requireContactFields(fields))
    const creations = writes.flatMap(({ answer }, index) => {
      const body = fieldBodies[index]!
      return body instanceof Problem
        ? []
        : [{ id: parseContactId(answer as string)!, body, cause: createWriteCause(caller) }]
    })
    const { shapes, masterKeys } = context
    const creationOptions = { clock: { now: () => now }, masterKeys, shapes }
    const refusals = (await createContacts(tx, account, creations, creationOptions)).values()
    return fieldBodies.map((body) => (body instanceof Problem ? body : refusals.next().value!))
  },
}

/** `targets.update(identification, fields)`. */
export const updateTargetWrite: ScriptWriteFunction = {
  async apply({ tx, context: { shapes }, caller }, writes) {
    const { account, now } = caller
    const contacts = await findScriptContactIds(
      tx,
      account,
      writes.map(({ args: [identification] }) => identification),
    )
    const changeRequests = writes.map(({ args: [, fields] }, index): ContactChangeRequest | Problem => {
      const [contact, body] = [contacts[index]!, requireContactFields(fields)]
      if (contact instanceof Problem) return contact
      return body instanceof Problem ? body : { contact, body, cause: createWriteCause(caller) }
    })
    const changes = changeRequests.filter(isNotProblem)
    const refusals = new Map<ContactChangeRequest, Problem | null>()
    for (const changeTurn of splitByRepeatedKey(changes, ({ contact }) => contact)) {
      const changeResults = await updateContacts(tx, account, changeTurn, { now: new Date(now), shapes })
      for (const [index, changeRequest] of changeTurn.entries()) refusals.set(changeRequest, changeResults[index]!)
    }
    return changeRequests.map((changeRequest) =>
      changeRequest instanceof Problem ? changeRequest : refusals.get(changeRequest)!,
    )
  },
}
