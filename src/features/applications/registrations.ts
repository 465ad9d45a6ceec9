import { randomBytes } from 'node:crypto'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { type MasterKeys, open, seal } from '../../lib/crypto/seal.ts'
import { identifierTypes, type Registration, type RegistrationBody } from './application-schemas.ts'

/** The rules by which devices register, and the sealed secret that signs their proofs. */
export interface StoredRegistration extends Omit<Registration, 'secret'> {
  secret: Buffer | null
  /** A secret that was made just now, which is shown this once. */
  made?: string
}

/** The registration of a new application, as clients of the interface expect it. */
export const newRegistration = (): StoredRegistration => ({
  ...{ open: true, identifiers: [...identifierTypes], proof: 'none', secret: null },
})

const SECRET_BYTES = 32
const contextOf = (application: string): string => `application ${application} registration`

/** A registration after a change: absent members stay, and a secret is generated when proofs are required and no secret is set. */
export function changedRegistration(
  before: StoredRegistration,
  { secret: given, ...members }: RegistrationBody,
  { application, masterKeys }: { application: string; masterKeys: MasterKeys },
): StoredRegistration {
  const after = { ...before, ...members }
  const isMade = given == null && after.proof === 'required' && after.secret === null
  const secret = isMade ? randomBytes(SECRET_BYTES).toString('base64url') : given
  if (secret == null) return after
  return { ...after, secret: seal(masterKeys, secret, contextOf(application)), ...(isMade && { made: secret }) }
}

/** Opens the secret of proofs; null when the application has no secret. Throws an Error when its master key is not configured. */
export function openProofSecret(
  keys: MasterKeys,
  { application, secret }: { application: string; secret: Buffer | null },
): Buffer | null {
  return secret && open(keys, secret, contextOf(application))
}

/** A registration as it is shown: without its secret, unless that was made just now. */
export function showRegistration({ open: isOpen, identifiers, proof, made }: StoredRegistration): Registration {
  return { open: isOpen, identifiers, proof, secret: made ?? null }
}

/** The applications of all accounts that believe devices whom they belong to, by account and name. */
export async function applicationsWithoutProof(db: Db): Promise<{ account: AccountId; name: string }[]> {
  return db
    .selectFrom('applications')
    .select(['account', 'name'])
    .where('registration_open', '=', true)
    .where('registration_proof', '=', 'none')
    .orderBy('account')
    .orderBy('name_folded')
    .execute()
}
