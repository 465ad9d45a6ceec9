import { createHash, randomUUID } from 'node:crypto'
import { type MasterKeys, sealWithMasterKey, unsealWithMasterKey } from '../../lib/crypto/seal.ts'
import { conflictProblem } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import type { Clock } from '../../lib/time/clock.ts'

/** Lifetime of a confirmation. */
const CONFIRMATION_TTL_MS = 5 * 60 * 1000

/** The confirmed act: a call with these arguments on an object in its current state. */
export interface ConfirmableCall {
  tool: string
  args: object
  /** The object as the interface shows it. */
  object: unknown
  /** Number of recipients or of deleted objects. */
  count: number
}

/** Makes and takes the confirmations of one caller. */
export interface ToolConfirmations {
  make(act: ConfirmableCall): { confirmation: string; goodUntil: string }
  /** Throws conflict `confirmation-unknown`, `-of-another`, `-expired`, `-stale`, `-used`. */
  take(confirmation: string, act: ConfirmableCall): Promise<void>
}

/** The holder of the confirmations, and the dependencies for creating them. */
export interface ConfirmationContext {
  masterKeys: MasterKeys
  clock: Clock
  /** Account, and key or person. */
  holder: string
  /** Notes that a confirmation was used; false: it was before. */
  useOnce(id: string): Promise<boolean>
}

interface SealedConfirmation {
  id: string
  until: number
  call: string
  version: string
  count: number
}

/**
 * Members that change on their own: the counts of a segment that is recounted regularly, and the state of objects that start
 * automatically.
 */
const VOLATILE_MEMBERS = new Set(['targetsCountDate', 'targetsCountExact', 'lastRun', 'nextRun'])

/** JSON with members in one order, so that equal values have equal texts. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).filter(([name]) => !VOLATILE_MEMBERS.has(name))
  return members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sortMembers(member)])
}

function digestValue(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortMembers(value)) ?? '')
    .digest('base64url')
}

function buildSealContext({ holder }: ConfirmationContext): string {
  return `mcp confirmation ${holder}`
}

function openConfirmation(confirming: ConfirmationContext, confirmation: string): SealedConfirmation {
  try {
    const unsealedBytes = unsealWithMasterKey(
      confirming.masterKeys,
      Buffer.from(confirmation, 'base64url'),
      buildSealContext(confirming),
    )
    return JSON.parse(unsealedBytes.toString()) as SealedConfirmation
  } catch {
    throw conflictProblem(
      'confirmation-unknown',
      'This confirmation is not valid for you. Call without a confirmation to get a new one.',
    )
  }
}

/** Throws conflict `confirmation-stale` where what was confirmed is no longer what would be done. */
function assertUnchanged(sealed: SealedConfirmation, { object, count }: ConfirmableCall): void {
  const retryAdvice = 'Call without a confirmation, and have the user check again.'
  if (sealed.count !== count)
    throw conflictProblem(
      'confirmation-stale',
      `The confirmation was for ${sealed.count}, but the count is now ${count}. ${retryAdvice}`,
    )
  if (sealed.version !== digestValue(object))
    throw conflictProblem('confirmation-stale', `The object has changed since the confirmation. ${retryAdvice}`)
}

/** Confirmations are sealed, so that any process takes them: what was used is noted in the database. */
export function createToolConfirmations(confirming: ConfirmationContext): ToolConfirmations {
  const { clock, masterKeys, useOnce: redeemOnce } = confirming
  const digestCall = ({ tool, args }: ConfirmableCall): string => digestValue({ tool, args })
  return {
    make(act) {
      const expiresAt = clock.now() + CONFIRMATION_TTL_MS
      const { object, count } = act
      const sealedContent: SealedConfirmation = {
        id: randomUUID(),
        until: expiresAt,
        call: digestCall(act),
        version: digestValue(object),
        count,
      }
      const sealedBytes = sealWithMasterKey(masterKeys, JSON.stringify(sealedContent), buildSealContext(confirming))
      return { confirmation: sealedBytes.toString('base64url'), goodUntil: new Date(expiresAt).toISOString() }
    },
    async take(confirmation, act) {
      const sealedContent = openConfirmation(confirming, confirmation)
      if (sealedContent.call !== digestCall(act))
        throw conflictProblem(
          'confirmation-of-another',
          'This confirmation belongs to another call. Use the same arguments.',
        )
      if (sealedContent.until <= clock.now())
        throw conflictProblem(
          'confirmation-expired',
          'This confirmation expired after 5 minutes. Call without a confirmation to get a new one.',
        )
      assertUnchanged(sealedContent, act)
      if (!(await redeemOnce(sealedContent.id)))
        throw conflictProblem(
          'confirmation-used',
          'This confirmation has already been used. Call without a confirmation to get a new one.',
        )
    },
  }
}
