import type { Db } from '../../database/connect.ts'
import { conflict } from '../../lib/problem.ts'
import type { Reason } from '../actions/readiness.ts'
import type { StoredAction } from '../actions/stored.ts'
import { loadProfile } from '../rcs-profiles/profiles.ts'

/** What speaks against sending with the profile of an action. */
export async function profileReasons(
  db: Db,
  { account, settings }: Pick<StoredAction, 'account' | 'settings'>,
): Promise<Reason[]> {
  if (settings.profile == null) return []
  const { id, active, provider, credentials } = await loadProfile(db, account, settings.profile)
  const pointer = '/settings/profile'
  const reasons: Reason[] = []
  if (!active) reasons.push({ kind: 'profile-inactive', pointer, words: `RCS profile ${id} is not active.` })
  if (provider !== 'capture' && credentials === null)
    reasons.push({ kind: 'credentials-missing', pointer, words: `RCS profile ${id} has no credentials.` })
  return reasons
}

/** Throws conflict when nothing can be sent with the profile of an action. */
export async function refuseUnusableProfile(db: Db, action: Pick<StoredAction, 'account' | 'settings'>): Promise<void> {
  const [reason] = await profileReasons(db, action)
  if (reason) throw conflict(reason.kind, reason.words)
}
