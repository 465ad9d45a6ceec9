import type { Db } from '../../database/connection/connect.ts'
import { forgetFailures } from './guessing.ts'
import { forgetInvitations } from './invitations.ts'
import { forgetLinks } from './links.ts'
import { forgetChallenges } from './passkeys.ts'
import { forgetStates } from './provider.ts'
import { forgetSessions } from './sessions.ts'
import { forgetAttempts } from './sign-in.ts'

/** Deletes what of sign-ins is over: sessions, links, invitations, counted tries. */
export async function forgetPeople(db: Db, now: number): Promise<void> {
  await forgetSessions(db, now)
  await forgetAttempts(db, now)
  await forgetFailures(db, now)
  await forgetLinks(db, now)
  await forgetInvitations(db, now)
  await forgetChallenges(db, now)
  await forgetStates(db, now)
}
