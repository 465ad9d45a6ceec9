import type { Db } from '../../database/connection/connect.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import { badRequest, conflict, Problem } from '../../lib/errors/problem.ts'
import { allFeatures, type Capability, writeCapabilities } from './capabilities.ts'
import type { ServiceAccount } from './credentials.ts'
import { readPossible } from './phone.ts'
import type { StoredProfile } from './profiles.ts'
import { openSecrets } from './provider.ts'
import type { PhoneCapability } from './rcs-profile-schemas.ts'

/** What a provider says of a phone. `unknown`: it does not say, with the reason in a few words. */
export type PhoneAnswer =
  | { result: 'reachable'; features: readonly string[] }
  | { result: 'unreachable' }
  | { result: 'unknown'; reason: string }

/** Asks the provider of a profile what a phone (E.164) can take. Its address is a client's: it is called as such. */
export type AskCapability = (
  profile: Pick<StoredProfile, 'account' | 'id' | 'agent' | 'settings'>,
  credentials: ServiceAccount,
  phone: string,
) => Promise<PhoneAnswer>

/** Dependencies of a look-up, beside the database. */
export interface LookupDependencies {
  masterKeys: MasterKeys
  ask: AskCapability
  now: () => Date
}

/** How long a caller is asked to wait before it tries again. */
const RETRY_SECONDS = 30

function readNumber(text: string, { country }: StoredProfile): string {
  // A plus sign in a query that was not escaped arrives as a blank.
  const phone = readPossible(text.replace(/^ /, '+'), country)
  if (phone === undefined) throw badRequest('phone', 'must be a phone number, such as +33601020304')
  return phone
}

async function answerOf(profile: StoredProfile, phone: string, dependencies: LookupDependencies): Promise<Capability> {
  if (profile.provider === 'capture') return { reachable: true, features: allFeatures }
  const { credentials } = openSecrets(dependencies.masterKeys, profile)
  if (credentials === null)
    throw conflict('profile-without-credentials', 'The profile has no credentials: give it those of a service account.')
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
export async function lookUpPhone(
  db: Db,
  profile: StoredProfile,
  text: string,
  dependencies: LookupDependencies,
): Promise<PhoneCapability> {
  const phone = readNumber(text, profile)
  const answer = await answerOf(profile, phone, dependencies)
  const checkedAt = dependencies.now()
  await writeCapabilities(db, profile, [{ phone, ...answer }], checkedAt)
  return {
    phone,
    reachable: answer.reachable,
    features: [...(answer.features ?? [])],
    checkedAt: checkedAt.toISOString(),
  }
}
