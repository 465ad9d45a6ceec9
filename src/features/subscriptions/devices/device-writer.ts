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
  put(account: AccountId, put: SubscriptionPut): Promise<void>
}

/** The parts of the context that the writer uses. */
type Writing = Pick<ServiceContext, 'db' | 'clock' | 'masterKeys'>

/** Requests in one transaction, and transactions of an account at once. */
const GROUPS = { most: 200, atOnce: 2, gatherMs: 3 }

/**
 * Checks a subscription against what its application takes from devices. Throws 403 when it takes nothing, 400 for a type of identifier that
 * it does not take, and for a contact without the proof that it requires.
 */
async function admit(
  { masterKeys, clock }: Writing,
  put: SubscriptionPut,
  registration: StoredDeviceRegistration,
): Promise<void> {
  const { application, contact } = put
  const { open, identifiers, proof } = registration
  if (!open) throw new Problem(403, 'registration-closed', 'The application takes no subscriptions from devices.')
  const isTaken = contact == null || identifiers.some((type) => type === contact.type)
  if (!isTaken) throw badRequestProblem('/linked/type', `must be one of ${identifiers.join(', ')}`)
  if (proof === 'none') return
  const secret = unsealProofSecret(masterKeys, { application, secret: registration.secret })
  if (secret === null) throw new Error(`the application ${application} requires proofs, and has no secret`)
  await requireDeviceProof(put, { secret, now: clock.now() })
}

/** Makes the writer of a process. A group that the database refuses is tried one by one, so that only the faulty put fails. */
export function createDeviceWriter(writing: Writing, guard: DeviceGuard): DeviceWriter {
  const { db, clock } = writing
  const groups = new Map<AccountId, GroupCommit<SubscriptionPut, Exclude<SubscriptionPutOutcome, Problem>>>()

  function store(account: AccountId, puts: readonly SubscriptionPut[]): Promise<SubscriptionPutOutcome[]> {
    const now = clock.now()
    // A transaction that begins again asks again: each new one is counted once.
    const taken = new Map<string, boolean>()
    return storeSubscriptionPuts(db, account, puts, {
      now: new Date(now),
      user: null,
      admit: (put, registration) => admit(writing, put, registration),
      isNewTaken: ({ id, application }) => {
        const isTaken = taken.get(id) ?? guard.isNewTaken(application, now)
        taken.set(id, isTaken)
        return isTaken
      },
    })
  }

  async function storeGroup(account: AccountId, puts: readonly SubscriptionPut[]): Promise<SubscriptionPutOutcome[]> {
    try {
      return await store(account, puts)
    } catch (error) {
      if (puts.length === 1 || isDatabaseUnavailable(error)) throw error
    }
    const outcomes: SubscriptionPutOutcome[] = []
    for (const put of puts) outcomes.push(...(await store(account, [put])))
    return outcomes
  }

  return {
    async put(account, put) {
      const group =
        groups.get(account) ??
        createGroupCommit<SubscriptionPut, Exclude<SubscriptionPutOutcome, Problem>>(
          (puts) => storeGroup(account, puts),
          GROUPS,
        )
      groups.set(account, group)
      await group.add(put)
    },
  }
}
