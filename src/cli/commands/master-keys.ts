import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, type ServiceConfig } from '../../config.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import {
  loadOrCreateMasterKeys,
  type MasterKeySource,
  readMasterKeys,
  sealWithMasterKey,
  unsealWithMasterKey,
} from '../../lib/crypto/seal.ts'
import type { MasterKey, MasterKeys } from '../../lib/crypto/tokens.ts'

const SEALING_CONTEXT = 'master key'
const PROOF_TEXT = 'stentor'
const LOST_KEY_ADVICE = 'If the key is lost, "stentor master-key accept" replaces it with another one.'

/** Proof of a key that was once the newest: the known value, sealed with it. */
interface MasterKeyProof {
  number: number
  sealed: Buffer
}

function getKeyFile({ dataDir }: ServiceConfig): string {
  return join(dataDir, 'master.key')
}

function describeKeyOrigin(config: ServiceConfig): string {
  return config.masterKey === undefined ? getKeyFile(config) : 'STENTOR_MASTER_KEY'
}

function readConfiguredKeys<Keys>(config: ServiceConfig, loadKeys: (place: MasterKeySource) => Keys): Keys {
  try {
    return loadKeys({ masterKey: config.masterKey, file: getKeyFile(config) })
  } catch (error) {
    // Errors of the file system are explained elsewhere; others say how keys must look.
    if (error instanceof Error && !('code' in error)) throw new ConfigError(error.message)
    throw error
  }
}

/** The master keys of an installation, unchecked: from the environment, else the file of the data directory, which is made when it is missing. Throws ConfigError. */
export const loadConfiguredMasterKeys = (config: ServiceConfig): MasterKeys =>
  readConfiguredKeys(config, loadOrCreateMasterKeys)

/** Checks how the master keys look, where there are any. Makes no file. Throws ConfigError. */
export function assertMasterKeyFormat(config: ServiceConfig): void {
  readConfiguredKeys(config, readMasterKeys)
}

/** Oldest first. */
function listKeyProofs(db: Db): Promise<MasterKeyProof[]> {
  return db.selectFrom('master_keys').select(['number', 'sealed']).orderBy('first_used_at').orderBy('number').execute()
}

function matchesProof(key: MasterKey, { sealed }: MasterKeyProof): boolean {
  try {
    return unsealWithMasterKey([key], sealed, SEALING_CONTEXT).toString() === PROOF_TEXT
  } catch {
    return false
  }
}

/** Throws ConfigError when a key is another one than that of its number, or the last one in use is not there. */
function assertKeysProven(config: ServiceConfig, keys: MasterKeys, proofs: readonly MasterKeyProof[]): void {
  const failedProof = proofs.find((proof) =>
    keys.some((key) => key.number === proof.number && !matchesProof(key, proof)),
  )
  if (failedProof)
    throw new ConfigError(
      `The master key number ${failedProof.number} of ${describeKeyOrigin(config)} is not the one that encrypted the secrets of this ` +
        `database. Set the original key. ${LOST_KEY_ADVICE}`,
    )
  const latestProof = proofs.at(-1)
  if (latestProof && !keys.some(({ number }) => number === latestProof.number))
    throw new ConfigError(
      `The master key number ${latestProof.number}, the last that encrypted secrets of this database, is not in ` +
        `${describeKeyOrigin(config)}. Add it as number:base64. ${LOST_KEY_ADVICE}`,
    )
}

async function recordKeyProof(db: Db, [newest]: MasterKeys, now: Date): Promise<void> {
  if (newest === undefined) return
  await db
    .insertInto('master_keys')
    .values({
      number: newest.number,
      sealed: sealWithMasterKey([newest], PROOF_TEXT, SEALING_CONTEXT),
      first_used_at: now,
    })
    .onConflict((conflict) => conflict.column('number').doNothing())
    .execute()
}

/**
 * The master keys of an installation, proven to be those of its database; the first ones it sees are its own from then
 * on, and so is each that becomes the newest. A key that is no longer in use may be left out.
 * Throws ConfigError, with what to do, when they are others or the file is gone.
 */
export async function loadVerifiedMasterKeys(db: Db, config: ServiceConfig, now: Date): Promise<MasterKeys> {
  const proofs = await listKeyProofs(db)
  if (proofs.length > 0 && config.masterKey === undefined && !existsSync(getKeyFile(config)))
    throw new ConfigError(
      `The master key is missing. The secrets of this database are encrypted with one, and ${getKeyFile(config)} does not ` +
        `exist. Restore that file, or set STENTOR_MASTER_KEY to the key. ${LOST_KEY_ADVICE}`,
    )
  const keys = loadConfiguredMasterKeys(config)
  assertKeysProven(config, keys, proofs)
  if (proofs.some(({ number }) => number === keys[0]?.number)) return keys
  await recordKeyProof(db, keys, now)
  // Another process may have started with another key at the same moment.
  assertKeysProven(config, keys, await listKeyProofs(db))
  return keys
}

/** Accepts the configured keys, whichever were used before. What other keys have sealed or signed is lost. Throws ConfigError. */
export async function acceptMasterKeys(db: Db, config: ServiceConfig, now: Date): Promise<void> {
  const keys = loadConfiguredMasterKeys(config)
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('master_keys').execute()
    await recordKeyProof(tx, keys, now)
  })
}
