import { createHash } from 'node:crypto'
import { contactId } from '../../../../../lib/ids.ts'
import type { Visit } from '../../engine/step.ts'

/** Hundredths of a percent: what shares are counted in. */
export const SHARES = 10_000

/**
 * The place of a contact or run among 10,000, the same at each visit of a node: the first 32 bits of
 * SHA-256(`<account>:<workflow>:<node>:<id>`) modulo 10,000.
 */
export function shareOf({ account, workflow, node, contact, run }: Visit, by: 'contact' | 'run'): number {
  const id = by === 'contact' && contact !== null ? contactId(contact) : run
  return createHash('sha256').update(`${account}:${workflow}:${node}:${id}`).digest().readUInt32BE(0) % SHARES
}
