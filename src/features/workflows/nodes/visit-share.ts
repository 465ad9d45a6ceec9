import { formatContactId } from '../../../lib/ids.ts'
import { hashToShareUnit } from '../../../lib/shares.ts'
import type { NodeVisit } from './node-contract.ts'

/** The place of a contact or run among 10,000, the same at each visit of a node. */
export function computeVisitShare({ account, workflow, node, contact, run }: NodeVisit, by: 'contact' | 'run'): number {
  const id = by === 'contact' && contact !== null ? formatContactId(contact) : run
  return hashToShareUnit(`${account}:${workflow}:${node}:${id}`)
}
