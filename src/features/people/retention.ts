import type { Db } from '../../database/connection/connect.ts'
import { forgetInvitations } from './members/invitations.ts'
import { forgetLinks } from './members/links.ts'
import { forgetSessions } from './sessions/sessions.ts'
import { forgetFailures } from './sign-in/guessing.ts'
import { forgetChallenges } from './sign-in/passkeys.ts'
import { forgetStates } from './sign-in/provider.ts'
import { forgetAttempts } from './sign-in/sign-in.ts'

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
