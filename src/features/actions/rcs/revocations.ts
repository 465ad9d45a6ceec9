import type { Logger } from 'pino'
import type { Db } from '../../../database/connection/connect.ts'
import type { MasterKeys } from '../../../lib/crypto/seal.ts'
import { toLoggableError } from '../../../lib/errors/safe-error.ts'
import type { AnySend } from '../../events/record/record.ts'
import type { RcsServiceAccount } from '../../rcs-profiles/credentials.ts'
import { findRcsProfiles, type StoredRcsProfile } from '../../rcs-profiles/profiles.ts'
import { unsealRcsProfileSecrets } from '../../rcs-profiles/provider.ts'

/** Outcome of a revocation. `unknown`: the provider does not report it. */
type RevocationOutcome = 'dealt with' | 'unknown'

/** Client that revokes the messages of one profile. */
export interface RcsRevoker {
  revoke(message: { agent: string; phone: string; stamp: string }): Promise<RevocationOutcome>
  close(): void
}

/** Opens what takes back messages of a profile; throws when its settings cannot be used. */
export type OpenRcsRevoker = (
  profile: Pick<StoredRcsProfile, 'account' | 'id' | 'agent' | 'settings'>,
  credentials: RcsServiceAccount,
) => RcsRevoker

/** Dependencies of revocations, in addition to the database. */
export interface RcsRevocationDependencies {
  masterKeys: MasterKeys
  open: OpenRcsRevoker
  log: Pick<Logger, 'warn'>
}

const MAX_CONCURRENT_REVOCATIONS = 10
/** Revocations not started within this time are left to the next run. */
const REVOCATION_BUDGET_MS = 20_000

/** Messages of one profile, oldest first: after one that the provider does not answer the others wait. Gives the stamps that are dealt with. */
async function revokeProfileSends(revoker: RcsRevoker, sends: readonly AnySend[], until: number): Promise<string[]> {
  const revokedStamps: string[] = []
  let isUnavailable = false
  const remainingSends = sends.values()
  async function revokeNext(): Promise<void> {
    for (const { stamp, rcs } of remainingSends) {
      if (isUnavailable || performance.now() > until) return
      const { phone = null, agent = '' } = rcs ?? {}
      const revocation = phone === null ? 'dealt with' : await revoker.revoke({ agent, phone, stamp: stamp.id })
      if (revocation === 'unknown') isUnavailable = true
      else revokedStamps.push(stamp.id)
    }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT_REVOCATIONS }, revokeNext))
  return revokedStamps
}

/** Revoker of a profile; `undefined` if there is nothing to revoke, because the profile was deleted or does not revoke messages. */
function createRevoker(
  profile: StoredRcsProfile | undefined,
  { masterKeys, open: openRevoker, log }: RcsRevocationDependencies,
): RcsRevoker | undefined {
  if (!profile || profile.provider === 'capture') return undefined
  try {
    const { credentials } = unsealRcsProfileSecrets(masterKeys, profile)
    return credentials === null ? undefined : openRevoker(profile, credentials)
  } catch (error) {
    log.warn({ err: toLoggableError(error), profile: profile.id }, 'cannot revoke messages: RCS profile unusable')
    return undefined
  }
}

/**
 * Takes back messages at their providers, those of each profile side by side. Gives the stamps of those that are dealt with:
 * revoked, or there is nothing to revoke. The others are to be tried again.
 */
export async function revokeRcsSends(
  db: Db,
  sends: readonly AnySend[],
  dependencies: RcsRevocationDependencies,
): Promise<Set<string>> {
  const buildProfileKey = (account: number, id: number | undefined) => `${account} ${id}`
  const sendsByProfile = Map.groupBy(sends, ({ account, rcs }) => buildProfileKey(account, rcs?.profile))
  const profileKeys = [...sendsByProfile.values()].flatMap(([first]) =>
    first?.rcs ? [{ account: first.account, id: first.rcs.profile }] : [],
  )
  const profiles = new Map(
    (await findRcsProfiles(db, profileKeys)).map((storedProfile) => [
      buildProfileKey(storedProfile.account, storedProfile.id),
      storedProfile,
    ]),
  )
  const deadline = performance.now() + REVOCATION_BUDGET_MS
  const dealtWith = await Promise.all(
    [...sendsByProfile].map(async ([key, profileSends]) => {
      const revoker = createRevoker(profiles.get(key), dependencies)
      if (!revoker) return profileSends.map(({ stamp }) => stamp.id)
      try {
        return await revokeProfileSends(revoker, profileSends, deadline)
      } finally {
        revoker.close()
      }
    }),
  )
  return new Set(dealtWith.flat())
}
