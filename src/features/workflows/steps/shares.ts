import { contactId } from '../../../lib/ids.ts'
import { placeAmongShares } from '../../../lib/shares.ts'
import type { Visit } from '../stepping/step.ts'

/** The place of a contact or run among 10,000, the same at each visit of a node. */
export function shareOf({ account, workflow, node, contact, run }: Visit, by: 'contact' | 'run'): number {
  const id = by === 'contact' && contact !== null ? contactId(contact) : run
  return placeAmongShares(`${account}:${workflow}:${node}:${id}`)
}
