import { randomUUID } from 'node:crypto'

/** A sender's name is a uuid whose last twelve digits are free; its batches have their numbers there. */
const BATCH_DIGITS = 12

function replaceLastDigits(name: string, digits: string): string {
  return name.slice(0, -BATCH_DIGITS) + digits
}

/** A name for a sender; the first eight digits are those of its machine. */
export function createSenderName(machine?: string): string {
  const name = replaceLastDigits(randomUUID(), '0'.repeat(BATCH_DIGITS))
  return machine === undefined ? name : machine + name.slice(machine.length)
}

/**
 * Returns the name that the claims of a sender's batch carry. Each batch has its own, so that a late statement of an earlier one changes
 * nothing, even if the same sender holds the same message again.
 */
export function getBatchName(sender: string, batch: number): string {
  return replaceLastDigits(sender, batch.toString(16).padStart(BATCH_DIGITS, '0'))
}

/** The first and the last name that batches of a sender can have; as uuids those between are all its own. */
export function getSenderNameRange(sender: string): { first: string; last: string } {
  return {
    first: replaceLastDigits(sender, '0'.repeat(BATCH_DIGITS)),
    last: replaceLastDigits(sender, 'f'.repeat(BATCH_DIGITS)),
  }
}

/** The same of all senders of a machine. */
export function getMachineNameRange(machine: string): { first: string; last: string } {
  return { first: `${machine}-0000-0000-0000-000000000000`, last: `${machine}-ffff-ffff-ffff-ffffffffffff` }
}
