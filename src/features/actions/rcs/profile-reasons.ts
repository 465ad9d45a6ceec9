import type { Db } from '../../../database/connection/connect.ts'
import { conflictProblem } from '../../../lib/errors/problem.ts'
import { loadRcsProfile, type StoredRcsProfile } from '../../rcs-profiles/profiles.ts'
import type { StoredAction } from '../resource/action-repository.ts'
import type { ReadinessReason } from '../validation/readiness.ts'

/** Reasons why the profile of an action cannot be used for sending. */
export async function findRcsProfileReasons(
  db: Db,
  { account, settings }: Pick<StoredAction, 'account' | 'settings'>,
): Promise<ReadinessReason[]> {
  return settings.profile == null ? [] : listProfileReasons(await loadRcsProfile(db, account, settings.profile))
}

function listProfileReasons({ id, active, provider, credentials }: StoredRcsProfile): ReadinessReason[] {
  const pointer = '/settings/profile'
  const reasons: ReadinessReason[] = []
  if (!active) reasons.push({ kind: 'profile-inactive', pointer, words: `RCS profile ${id} is not active.` })
  if (provider !== 'capture' && credentials === null)
    reasons.push({ kind: 'credentials-missing', pointer, words: `RCS profile ${id} has no credentials.` })
  return reasons
}

/** The profile of an action; undefined when it names none. Throws conflict when nothing can be sent with it. */
export async function requireUsableProfile(
  db: Db,
  { account, settings }: Pick<StoredAction, 'account' | 'settings'>,
): Promise<StoredRcsProfile | undefined> {
  if (settings.profile == null) return undefined
  const profile = await loadRcsProfile(db, account, settings.profile)
  const [reason] = listProfileReasons(profile)
  if (reason) throw conflictProblem(reason.kind, reason.words)
  return profile
}
