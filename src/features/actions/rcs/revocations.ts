import type { Logger } from 'pino'
import type { Db } from '../../../database/connection/connect.ts'
import type { MasterKeys } from '../../../lib/crypto/seal.ts'
import { toLoggableError } from '../../../lib/errors/safe-error.ts'
import type { AnySend } from '../../events/record/record.ts'
import type { RcsServiceAccount } from '../../rcs-profiles/credentials.ts'
import { findRcsProfiles, type StoredRcsProfile } from '../../rcs-profiles/profiles.ts'
import { unsealRcsProfileSecrets } from '../../rcs-profiles/provider.ts'

/** What became of a revocation. `unknown`: the provider does not say. */
type Revocation = 'dealt with' | 'unknown'

/** What takes back messages of one profile. */
export interface RcsRevoker {
  revoke(message: { agent: string; phone: string; stamp: string }): Promise<Revocation>
  close(): void
}

/** Opens what takes back messages of a profile; throws when its settings cannot be used. */
export type OpenRcsRevoker = (
  profile: Pick<StoredRcsProfile, 'account' | 'id' | 'agent' | 'settings'>,
  credentials: RcsServiceAccount,
) => RcsRevoker

/** Dependencies of revocations, beside the database. */
export interface RcsRevocationDependencies {
  masterKeys: MasterKeys
  open: OpenRcsRevoker
  log: Pick<Logger, 'warn'>
}

const CONCURRENCY = 10
/** What is not begun by then is left to the next turn. */
const BUDGET_MS = 20_000

/** Messages of one profile, oldest first: after one that the provider does not answer the others wait. Gives the stamps that are dealt with. */
async function revokeOf(revoker: RcsRevoker, sends: readonly AnySend[], until: number): Promise<string[]> {
  const done: string[] = []
  let isAway = false
  const left = sends.values()
  async function work(): Promise<void> {
    for (const { stamp, rcs } of left) {
      if (isAway || performance.now() > until) return
      const { phone = null, agent = '' } = rcs ?? {}
      const revocation = phone === null ? 'dealt with' : await revoker.revoke({ agent, phone, stamp: stamp.id })
      if (revocation === 'unknown') isAway = true
      else done.push(stamp.id)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return done
}

/** What revokes for a profile; undefined: there is nothing to be asked, as the profile is gone or keeps its messages. */
function revokerOf(
  profile: StoredRcsProfile | undefined,
  { masterKeys, open, log }: RcsRevocationDependencies,
): RcsRevoker | undefined {
  if (!profile || profile.provider === 'capture') return undefined
  try {
    const { credentials } = unsealRcsProfileSecrets(masterKeys, profile)
    return credentials === null ? undefined : open(profile, credentials)
  } catch (error) {
    log.warn(
      { err: toLoggableError(error), profile: profile.id },
      'messages cannot be revoked: the profile cannot be used',
    )
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
  const keyOf = (account: number, id: number | undefined) => `${account} ${id}`
  const groups = Map.groupBy(sends, ({ account, rcs }) => keyOf(account, rcs?.profile))
  const keys = [...groups.values()].flatMap(([first]) =>
    first?.rcs ? [{ account: first.account, id: first.rcs.profile }] : [],
  )
  const profiles = new Map((await findRcsProfiles(db, keys)).map((one) => [keyOf(one.account, one.id), one]))
  const until = performance.now() + BUDGET_MS
  const dealtWith = await Promise.all(
    [...groups].map(async ([key, own]) => {
      const revoker = revokerOf(profiles.get(key), dependencies)
      if (!revoker) return own.map(({ stamp }) => stamp.id)
      try {
        return await revokeOf(revoker, own, until)
      } finally {
        revoker.close()
      }
    }),
  )
  return new Set(dealtWith.flat())
}
