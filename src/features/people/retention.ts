import type { Db } from '../../database/connection/connect.ts'
import { purgeInvitations } from './members/invitations.ts'
import { purgeUserLinks } from './members/links.ts'
import { purgeEndedSessions } from './sessions/sessions.ts'
import { purgeSignInTries } from './sign-in/guessing.ts'
import { purgePasskeyChallenges } from './sign-in/passkeys.ts'
import { purgeProviderStates } from './sign-in/provider.ts'
import { purgeSignInAttempts } from './sign-in/sign-in.ts'

/** Deletes what of sign-ins is over: sessions, links, invitations, counted tries. */
export async function purgeSignInRecords(db: Db, now: number): Promise<void> {
  await purgeEndedSessions(db, now)
  await purgeSignInAttempts(db, now)
  await purgeSignInTries(db, now)
  await purgeUserLinks(db, now)
  await purgeInvitations(db, now)
  await purgePasskeyChallenges(db, now)
  await purgeProviderStates(db, now)
}
