import { randomBytes } from 'node:crypto'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { type MasterKeys, sealWithMasterKey, unsealWithMasterKey } from '../../lib/crypto/seal.ts'
import { type DeviceRegistration, type DeviceRegistrationBody, deviceIdentifierTypes } from './application-schemas.ts'

/** The rules by which devices register, and the sealed secret that signs their proofs. */
export interface StoredDeviceRegistration extends Omit<DeviceRegistration, 'secret'> {
  secret: Buffer | null
  /** A secret that was made just now, which is shown this once. */
  made?: string
}

/** The registration of a new application, as clients of the interface expect it. */
export const createDeviceRegistration = (): StoredDeviceRegistration => ({
  open: true,
  identifiers: [...deviceIdentifierTypes],
  proof: 'none',
  secret: null,
})

const SECRET_BYTES = 32
const buildSealContext = (application: string): string => `application ${application} registration`

/** A registration after a change: absent members stay, and a secret is generated when proofs are required and no secret is set. */
export function mergeDeviceRegistration(
  before: StoredDeviceRegistration,
  { secret: newSecret, ...members }: DeviceRegistrationBody,
  { application, masterKeys }: { application: string; masterKeys: MasterKeys },
): StoredDeviceRegistration {
  const merged = { ...before, ...members }
  const isGenerated = newSecret == null && merged.proof === 'required' && merged.secret === null
  const secret = isGenerated ? randomBytes(SECRET_BYTES).toString('base64url') : newSecret
  if (secret == null) return merged
  return {
    ...merged,
    secret: sealWithMasterKey(masterKeys, secret, buildSealContext(application)),
    ...(isGenerated && { made: secret }),
  }
}

/** Opens the secret of proofs; null when the application has no secret. Throws an Error when its master key is not configured. */
export function unsealProofSecret(
  keys: MasterKeys,
  { application, secret }: { application: string; secret: Buffer | null },
): Buffer | null {
  return secret && unsealWithMasterKey(keys, secret, buildSealContext(application))
}

/** A registration as it is shown: without its secret, unless that was made just now. */
export function toDeviceRegistration({
  open: isOpen,
  identifiers,
  proof,
  made: createdSecret,
}: StoredDeviceRegistration): DeviceRegistration {
  return { open: isOpen, identifiers, proof, secret: createdSecret ?? null }
}

/** The applications of all accounts that believe devices whom they belong to, by account and name. */
export async function listUnprovenApplications(db: Db): Promise<{ account: AccountId; name: string }[]> {
  return db
    .selectFrom('applications')
    .select(['account', 'name'])
    .where('registration_open', '=', true)
    .where('registration_proof', '=', 'none')
    .orderBy('account')
    .orderBy('name_folded')
    .execute()
}
