import type { ServiceContext } from '../../../context.ts'
import { isDatabaseUnavailable } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import { createGroupCommit, type GroupCommit } from '../../../lib/concurrency/group-commit.ts'
import { badRequestProblem, Problem } from '../../../lib/errors/problem.ts'
import { type StoredDeviceRegistration, unsealProofSecret } from '../../applications/registrations.ts'
import type { SubscriptionPutOutcome } from '../put.ts'
import type { SubscriptionPut } from '../read-put.ts'
import { storeSubscriptionPuts } from '../subscriptions.ts'
import type { DeviceGuard } from './device-guard.ts'
import { requireDeviceProof } from './proofs.ts'

/** Stores what devices put, many requests in one transaction. */
export interface DeviceWriter {
  /** Resolves once it is stored. Throws Problem. */
  put(account: AccountId, putItem: SubscriptionPut): Promise<void>
}

/** The parts of the context that the writer uses. */
type DeviceWriterDependencies = Pick<ServiceContext, 'db' | 'clock' | 'masterKeys'>

/** Requests in one transaction, and transactions of an account at once. */
const GROUP_LIMITS = { most: 200, atOnce: 2, gatherMs: 3 }

/**
 * Checks a subscription against what its application takes from devices. Throws 403 when it takes nothing, 400 for a type of identifier that
 * it does not take, and for a contact without the proof that it requires.
 */
async function admitPut(
  { masterKeys, clock }: DeviceWriterDependencies,
  putItem: SubscriptionPut,
  registration: StoredDeviceRegistration,
): Promise<void> {
  const { application, contact } = putItem
  const { open: isOpen, identifiers, proof } = registration
  if (!isOpen)
    throw new Problem(403, 'registration-closed', 'The application does not accept subscriptions from devices.')
  const isAccepted = contact == null || identifiers.some((type) => type === contact.type)
  if (!isAccepted) throw badRequestProblem('/linked/type', `must be one of ${identifiers.join(', ')}`)
  if (proof === 'none') return
  const proofSecret = unsealProofSecret(masterKeys, { application, secret: registration.secret })
  if (proofSecret === null) throw new Error(`the application ${application} requires proofs but has no secret`)
  await requireDeviceProof(putItem, { secret: proofSecret, now: clock.now() })
}

/** Makes the writer of a process. A group that the database refuses is tried one by one, so that only the faulty put fails. */
export function createDeviceWriter(writing: DeviceWriterDependencies, guard: DeviceGuard): DeviceWriter {
  const { db, clock } = writing
  const groupsByAccount = new Map<AccountId, GroupCommit<SubscriptionPut, Exclude<SubscriptionPutOutcome, Problem>>>()

  function storePuts(account: AccountId, puts: readonly SubscriptionPut[]): Promise<SubscriptionPutOutcome[]> {
    const now = clock.now()
    // A transaction that begins again asks again: each new one is counted once.
    const newTaken = new Map<string, boolean>()
    return storeSubscriptionPuts(db, account, puts, {
      now: new Date(now),
      user: null,
      admit: (putItem, registration) => admitPut(writing, putItem, registration),
      isNewTaken: ({ id, application }) => {
        const isTaken = newTaken.get(id) ?? guard.isNewTaken(application, now)
        newTaken.set(id, isTaken)
        return isTaken
      },
    })
  }

  async function storeGroup(account: AccountId, puts: readonly SubscriptionPut[]): Promise<SubscriptionPutOutcome[]> {
    try {
      return await storePuts(account, puts)
    } catch (error) {
      if (puts.length === 1 || isDatabaseUnavailable(error)) throw error
    }
    const outcomes: SubscriptionPutOutcome[] = []
    for (const putItem of puts) outcomes.push(...(await storePuts(account, [putItem])))
    return outcomes
  }

  return {
    async put(account, putItem) {
      const accountGroup =
        groupsByAccount.get(account) ??
        createGroupCommit<SubscriptionPut, Exclude<SubscriptionPutOutcome, Problem>>(
          (puts) => storeGroup(account, puts),
          GROUP_LIMITS,
        )
      groupsByAccount.set(account, accountGroup)
      await accountGroup.add(putItem)
    },
  }
}
