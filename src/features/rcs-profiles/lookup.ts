import type { Db } from '../../database/connection/connect.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import { badRequestProblem, conflictProblem, Problem } from '../../lib/errors/problem.ts'
import { allRcsFeatures, type CachedPhoneCapability, writePhoneCapabilities } from './capabilities.ts'
import type { RcsServiceAccount } from './credentials.ts'
import { parsePossiblePhone } from './phone.ts'
import type { StoredRcsProfile } from './profiles.ts'
import { unsealRcsProfileSecrets } from './provider.ts'
import type { PhoneCapability } from './rcs-profile-schemas.ts'

/** What a provider says of a phone. `unknown`: it does not say, with the reason in a few words. */
export type PhoneLookupAnswer =
  | { result: 'reachable'; features: readonly string[] }
  | { result: 'unreachable' }
  | { result: 'unknown'; reason: string }

/** Asks the provider of a profile what a phone (E.164) can take. Its address is a client's: it is called as such. */
export type PhoneCapabilityLookup = (
  profile: Pick<StoredRcsProfile, 'account' | 'id' | 'agent' | 'settings'>,
  credentials: RcsServiceAccount,
  phone: string,
) => Promise<PhoneLookupAnswer>

/** Dependencies of a look-up, beside the database. */
export interface PhoneLookupDependencies {
  masterKeys: MasterKeys
  ask: PhoneCapabilityLookup
  now: () => Date
}

/** How long a caller is asked to wait before it tries again. */
const RETRY_SECONDS = 30

function readNumber(text: string, { country }: StoredRcsProfile): string {
  // A plus sign in a query that was not escaped arrives as a blank.
  const phone = parsePossiblePhone(text.replace(/^ /, '+'), country)
  if (phone === undefined) throw badRequestProblem('phone', 'must be a phone number, such as +33601020304')
  return phone
}

async function answerOf(
  profile: StoredRcsProfile,
  phone: string,
  dependencies: PhoneLookupDependencies,
): Promise<CachedPhoneCapability> {
  if (profile.provider === 'capture') return { reachable: true, features: allRcsFeatures }
  const { credentials } = unsealRcsProfileSecrets(dependencies.masterKeys, profile)
  if (credentials === null)
    throw conflictProblem(
      'profile-without-credentials',
      'The profile has no credentials: give it those of a service account.',
    )
  const answer = await dependencies.ask(profile, credentials, phone)
  if (answer.result === 'unknown')
    throw new Problem(503, 'provider-unavailable', `The provider does not answer: ${answer.reason}.`, {
      headers: { 'retry-after': String(RETRY_SECONDS) },
    })
  return answer.result === 'reachable'
    ? { reachable: true, features: answer.features }
    : { reachable: false, features: [] }
}

/**
 * Asks the provider about a phone, whatever is known of it, and keeps the answer for sends. Throws 400 for what is no
 * phone, conflict without credentials, 503 when there is no answer.
 */
export async function lookUpPhoneCapability(
  db: Db,
  profile: StoredRcsProfile,
  text: string,
  dependencies: PhoneLookupDependencies,
): Promise<PhoneCapability> {
  const phone = readNumber(text, profile)
  const answer = await answerOf(profile, phone, dependencies)
  const checkedAt = dependencies.now()
  await writePhoneCapabilities(db, profile, [{ phone, ...answer }], checkedAt)
  return {
    phone,
    reachable: answer.reachable,
    features: [...(answer.features ?? [])],
    checkedAt: checkedAt.toISOString(),
  }
}
