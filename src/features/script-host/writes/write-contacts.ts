import { turnsOf } from '../../../lib/concurrency/turns.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { readContactId } from '../../../lib/ids.ts'
import { isObject } from '../../../lib/objects.ts'
import { changeContacts, type OwnChange } from '../../contacts/bulk/own-changes.ts'
import { createContacts } from '../../contacts/bulk/own-creations.ts'
import type { FlatMap } from '../../contacts/records/contact-schemas.ts'
import { contactsNamed } from '../reads/named-contacts.ts'
import { causeOf } from './causes.ts'
import { unfit } from './unfit.ts'
import { isSound, type WriteFunction } from './write-types.ts'

/** The fields of a contact that a call gives. */
const fieldsOf = (given: unknown): FlatMap | Problem =>
  isObject(given) ? (given as FlatMap) : unfit('The fields of a contact are an object, by id or name.')

/** `targets.create(fields)`: a contact under the id that the script was given. */
export const createTarget: WriteFunction = {
  async apply({ tx, context, caller }, writes) {
    const { account, now } = caller
    const bodies = writes.map(({ args: [fields] }) => fieldsOf(fields))
    const creations = writes.flatMap(({ answer }, index) => {
      const body = bodies[index]!
      return body instanceof Problem ? [] : [{ id: readContactId(answer as string)!, body, cause: causeOf(caller) }]
    })
    const { shapes, masterKeys } = context
    const writing = { clock: { now: () => now }, masterKeys, shapes }
    const refusals = (await createContacts(tx, account, creations, writing)).values()
    return bodies.map((body) => (body instanceof Problem ? body : refusals.next().value!))
  },
}

/** `targets.update(identification, fields)`. */
export const updateTarget: WriteFunction = {
  async apply({ tx, context: { shapes }, caller }, writes) {
    const { account, now } = caller
    const contacts = await contactsNamed(
      tx,
      account,
      writes.map(({ args: [identification] }) => identification),
    )
    const asked = writes.map(({ args: [, fields] }, index): OwnChange | Problem => {
      const [contact, body] = [contacts[index]!, fieldsOf(fields)]
      if (contact instanceof Problem) return contact
      return body instanceof Problem ? body : { contact, body, cause: causeOf(caller) }
    })
    const changes = asked.filter(isSound)
    const refusals = new Map<OwnChange, Problem | null>()
    for (const turn of turnsOf(changes, ({ contact }) => contact)) {
      const answers = await changeContacts(tx, account, turn, { now: new Date(now), shapes })
      for (const [index, one] of turn.entries()) refusals.set(one, answers[index]!)
    }
    return asked.map((one) => (one instanceof Problem ? one : refusals.get(one)!))
  },
}
