import { randomUUID } from 'node:crypto'

/** A sender's name is a uuid whose last twelve digits are free; its batches have their numbers there. */
const DIGITS = 12

function withLast(name: string, digits: string): string {
  return name.slice(0, -DIGITS) + digits
}

/** A name for a sender; the first eight digits are those of its machine. */
export function createSenderName(machine?: string): string {
  const name = withLast(randomUUID(), '0'.repeat(DIGITS))
  return machine === undefined ? name : machine + name.slice(machine.length)
}

/**
 * What the claims of a sender's batch carry. Each batch has its own, so that a statement of an earlier one which comes
 * late changes nothing, though the same sender may hold the same message anew.
 */
export function getBatchName(sender: string, batch: number): string {
  return withLast(sender, batch.toString(16).padStart(DIGITS, '0'))
}

/** The first and the last name that batches of a sender can have; as uuids those between are all its own. */
export function getSenderNameRange(sender: string): { first: string; last: string } {
  return { first: withLast(sender, '0'.repeat(DIGITS)), last: withLast(sender, 'f'.repeat(DIGITS)) }
}

/** The same of all senders of a machine. */
export function getMachineNameRange(machine: string): { first: string; last: string } {
  return { first: `${machine}-0000-0000-0000-000000000000`, last: `${machine}-ffff-ffff-ffff-ffffffffffff` }
}
