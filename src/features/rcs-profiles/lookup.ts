import type { Db } from '../../database/connection/connect.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import { badRequestProblem, conflictProblem, Problem } from '../../lib/errors/problem.ts'
import { allRcsFeatures, type CachedPhoneCapability, writePhoneCapabilities } from './capabilities.ts'
import type { RcsServiceAccount } from './credentials.ts'
import { parsePossiblePhone } from './phone.ts'
import type { StoredRcsProfile } from './profiles.ts'
import { unsealRcsProfileSecrets } from './provider.ts'
import type { PhoneCapability } from './rcs-profile-schemas.ts'

/** Answer of a provider about a phone. `unknown`: it does not answer, with the reason in a few words. */
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

/** Dependencies of a lookup, in addition to the database. */
export interface PhoneLookupDependencies {
  masterKeys: MasterKeys
  ask: PhoneCapabilityLookup
  now: () => Date
}

/** Time after which a caller may try again. */
const RETRY_AFTER_SECONDS = 30

function parseLookupNumber(text: string, { country }: StoredRcsProfile): string {
  // A plus sign in a query that was not escaped arrives as a blank.
  const phoneNumber = parsePossiblePhone(text.replace(/^ /, '+'), country)
  if (phoneNumber === undefined) throw badRequestProblem('phone', 'must be a phone number, such as +33639980004')
  return phoneNumber
}

async function requestCapability(
  profile: StoredRcsProfile,
  phone: string,
  dependencies: PhoneLookupDependencies,
): Promise<CachedPhoneCapability> {
  if (profile.provider === 'capture') return { reachable: true, features: allRcsFeatures }
  const { credentials } = unsealRcsProfileSecrets(dependencies.masterKeys, profile)
  if (credentials === null)
    throw conflictProblem(
      'profile-without-credentials',
      'The profile has no credentials. Add those of a service account.',
    )
  const lookupAnswer = await dependencies.ask(profile, credentials, phone)
  if (lookupAnswer.result === 'unknown')
    throw new Problem(503, 'provider-unavailable', `The provider does not respond: ${lookupAnswer.reason}.`, {
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    })
  return lookupAnswer.result === 'reachable'
    ? { reachable: true, features: lookupAnswer.features }
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
  const phoneNumber = parseLookupNumber(text, profile)
  const lookupAnswer = await requestCapability(profile, phoneNumber, dependencies)
  const checkedAt = dependencies.now()
  await writePhoneCapabilities(db, profile, [{ phone: phoneNumber, ...lookupAnswer }], checkedAt)
  return {
    phone: phoneNumber,
    reachable: lookupAnswer.reachable,
    features: [...(lookupAnswer.features ?? [])],
    checkedAt: checkedAt.toISOString(),
  }
}
