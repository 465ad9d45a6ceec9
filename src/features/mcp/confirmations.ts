import { createHash, randomUUID } from 'node:crypto'
import { type MasterKeys, sealWithMasterKey, unsealWithMasterKey } from '../../lib/crypto/seal.ts'
import { conflictProblem } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import type { Clock } from '../../lib/time/clock.ts'

/** How long a confirmation is good. */
const GOOD_MS = 5 * 60 * 1000

/** What is confirmed: a call with these arguments on an object as it is now. */
export interface ConfirmableCall {
  tool: string
  args: object
  /** The object as the interface shows it. */
  object: unknown
  /** How many get something, or are gone. */
  count: number
}

/** Makes and takes the confirmations of one caller. */
export interface ToolConfirmations {
  make(act: ConfirmableCall): { confirmation: string; goodUntil: string }
  /** Throws conflict `confirmation-unknown`, `-of-another`, `-expired`, `-stale`, `-used`. */
  take(confirmation: string, act: ConfirmableCall): Promise<void>
}

/** Whose confirmations they are, and what making them needs. */
export interface ConfirmationContext {
  masterKeys: MasterKeys
  clock: Clock
  /** Account, and key or person. */
  holder: string
  /** Notes that a confirmation was used; false: it was before. */
  useOnce(id: string): Promise<boolean>
}

interface Sealed {
  id: string
  until: number
  call: string
  version: string
  count: number
}

/** Of a segment that counts itself from time to time, and of what starts by itself. */
const CHANGES_BY_ITSELF = new Set(['targetsCountDate', 'targetsCountExact', 'lastRun', 'nextRun'])

/** JSON with members in one order, so that equal values have equal texts. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).filter(([name]) => !CHANGES_BY_ITSELF.has(name))
  return members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, ordered(member)])
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(ordered(value)) ?? '')
    .digest('base64url')
}

function contextOf({ holder }: ConfirmationContext): string {
  return `mcp confirmation ${holder}`
}

function opened(confirming: ConfirmationContext, confirmation: string): Sealed {
  try {
    const bytes = unsealWithMasterKey(
      confirming.masterKeys,
      Buffer.from(confirmation, 'base64url'),
      contextOf(confirming),
    )
    return JSON.parse(bytes.toString()) as Sealed
  } catch {
    throw conflictProblem('confirmation-unknown', 'This is no confirmation of yours: call without one for a new one.')
  }
}

/** Throws conflict `confirmation-stale` where what was confirmed is no longer what would be done. */
function requireSame(sealed: Sealed, { object, count }: ConfirmableCall): void {
  const again = 'call without a confirmation, and have the person look again.'
  if (sealed.count !== count)
    throw conflictProblem(
      'confirmation-stale',
      `It was confirmed for ${sealed.count}, and would be for ${count} now: ${again}`,
    )
  if (sealed.version !== digest(object))
    throw conflictProblem('confirmation-stale', `The object was changed since it was confirmed: ${again}`)
}

/** Confirmations are sealed, so that any process takes them: what was used is noted in the database. */
export function createToolConfirmations(confirming: ConfirmationContext): ToolConfirmations {
  const { clock, masterKeys, useOnce } = confirming
  const callOf = ({ tool, args }: ConfirmableCall): string => digest({ tool, args })
  return {
    make(act) {
      const until = clock.now() + GOOD_MS
      const { object, count } = act
      const sealed: Sealed = { id: randomUUID(), until, call: callOf(act), version: digest(object), count }
      const bytes = sealWithMasterKey(masterKeys, JSON.stringify(sealed), contextOf(confirming))
      return { confirmation: bytes.toString('base64url'), goodUntil: new Date(until).toISOString() }
    },
    async take(confirmation, act) {
      const sealed = opened(confirming, confirmation)
      if (sealed.call !== callOf(act))
        throw conflictProblem(
          'confirmation-of-another',
          'This confirmation is of another call: give the same arguments.',
        )
      if (sealed.until <= clock.now())
        throw conflictProblem(
          'confirmation-expired',
          'This confirmation was good for 5 minutes: call without one again.',
        )
      requireSame(sealed, act)
      if (!(await useOnce(sealed.id)))
        throw conflictProblem('confirmation-used', 'This confirmation was used: call without one for a new one.')
    },
  }
}
