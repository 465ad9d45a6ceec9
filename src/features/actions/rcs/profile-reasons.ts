import type { Db } from '../../../database/connection/connect.ts'
import { conflict } from '../../../lib/errors/problem.ts'
import { loadProfile, type StoredProfile } from '../../rcs-profiles/profiles.ts'
import type { StoredAction } from '../resource/action-repository.ts'
import type { Reason } from '../validation/readiness.ts'

/** What speaks against sending with the profile of an action. */
export async function profileReasons(
  db: Db,
  { account, settings }: Pick<StoredAction, 'account' | 'settings'>,
): Promise<Reason[]> {
  return settings.profile == null ? [] : reasonsOf(await loadProfile(db, account, settings.profile))
}

function reasonsOf({ id, active, provider, credentials }: StoredProfile): Reason[] {
  const pointer = '/settings/profile'
  const reasons: Reason[] = []
  if (!active) reasons.push({ kind: 'profile-inactive', pointer, words: `RCS profile ${id} is not active.` })
  if (provider !== 'capture' && credentials === null)
    reasons.push({ kind: 'credentials-missing', pointer, words: `RCS profile ${id} has no credentials.` })
  return reasons
}

/** The profile of an action; undefined when it names none. Throws conflict when nothing can be sent with it. */
export async function usableProfile(
  db: Db,
  { account, settings }: Pick<StoredAction, 'account' | 'settings'>,
): Promise<StoredProfile | undefined> {
  if (settings.profile == null) return undefined
  const profile = await loadProfile(db, account, settings.profile)
  const [reason] = reasonsOf(profile)
  if (reason) throw conflict(reason.kind, reason.words)
  return profile
}
