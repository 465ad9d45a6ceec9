import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId, MemberRole } from '../../../lib/account.ts'
import { notFoundProblem, type Problem } from '../../../lib/errors/problem.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { addAccountMember } from '../people.ts'
import { recordUserAudit, type SignInAuditRequest } from '../told.ts'
import { requireOtherAdmins } from './members.ts'

/** Problem for a link that opens nothing. */
export function unknownInvitationProblem(): Problem {
  return notFoundProblem('invitation', 'for this link: it has been accepted, has expired or was sent again')
}

/** Throws notFound for an invitation that is gone; otherwise it is there until the transaction ends. */
export async function lockInvitation(tx: Db, id: string): Promise<void> {
  const { rows } = await sql`select from invitations where id = ${id} for update`.execute(tx)
  if (rows.length === 0) throw unknownInvitationProblem()
}

/** The person who accepts an invitation. */
interface InvitationTaker {
  person: { id: string; name: string }
  visitor: SignInAuditRequest
}

/**
 * Takes an invitation for a person, in the transaction of their sign-in, which has locked their accounts: of two at once one does. Throws notFound, and
 * conflict `last-admin` where it would give the only admin of the account another role.
 */
export async function redeemInvitation(
  tx: Db,
  { clock }: { clock: Clock },
  id: string,
  { person, visitor }: InvitationTaker,
): Promise<void> {
  const now = new Date(clock.now())
  const { rows } = await sql<{ account: AccountId; role: MemberRole; mailed: boolean }>`
    delete from invitations where id = ${id} and expires_at > ${now} returning account, role, mailed`.execute(tx)
  const [redeemedInvitation] = rows
  if (!redeemedInvitation) throw unknownInvitationProblem()
  const { account, role, mailed } = redeemedInvitation
  if (role !== 'admin') await requireOtherAdmins(tx, person.id, account)
  await addAccountMember(tx, { account, person: person.id, role }, now)
  // Whoever has the link reads the mail, and has proved to be the person.
  if (mailed) await tx.updateTable('people').set({ email_confirmed: true }).where('id', '=', person.id).execute()
  await recordUserAudit(tx, { clock }, visitor, { person, account, changes: { '/role': [null, role] } })
}
