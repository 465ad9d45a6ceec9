import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { AccountId, MemberRole } from '../../../lib/account.ts'
import { badRequestProblem, conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { createUser, findUser, loadUser, type UserRow } from '../people.ts'
import type { InvitationAcceptance, InvitationResource, UserLocale } from '../people-schemas.ts'
import { assertPasswordStrength } from '../sign-in/passwords.ts'
import { digestSecretToken, generateSecretToken } from '../sign-in/secrets.ts'
import {
  beginSignInSession,
  completeFirstFactor,
  type SignInBrowser,
  type SignInContext,
  type SignInOutcome,
  verifyUserPassword,
} from '../sign-in/sign-in.ts'
import { lockUserAccounts } from './members.ts'
import { lockInvitation, redeemInvitation, unknownInvitationProblem } from './taken-invitations.ts'

const INVITATION_TTL_MS = 7 * 24 * 3600 * 1000

/** An invitation that a token opens. */
export interface OpenInvitation {
  id: string
  account: AccountId
  code: string
  accountName: string
  email: string
  role: MemberRole
  mailed: boolean
  expiresAt: Date
  known: boolean
}

/** Invites an email into an account, or again: links sent before are void. Throws conflict `already-member`. */
export async function inviteMember(
  db: Db,
  { account, email, role }: { account: AccountId; email: string; role: MemberRole },
  now: number,
): Promise<{ invitation: InvitationResource; token: string }> {
  const token = generateSecretToken()
  const existingMember = await db
    .selectFrom('people as p')
    .innerJoin('memberships as m', 'm.person', 'p.id')
    .select('p.id')
    .where(sql`address_key(p.email)`, '=', email)
    .where('m.account', '=', account)
    .executeTakeFirst()
  if (existingMember) throw conflictProblem('already-member', `${email} is already a member of the account.`)
  const newInvitation = { digest: digestSecretToken(token), role, mailed: false }
  const invitationDates = { created_at: new Date(now), expires_at: new Date(now + INVITATION_TTL_MS) }
  const { id } = await db
    .insertInto('invitations')
    .values({ id: randomUUID(), account, email, ...newInvitation, ...invitationDates })
    .onConflict((conflict) =>
      conflict.columns(['account', 'email']).doUpdateSet({ ...newInvitation, ...invitationDates }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  const { created_at, expires_at } = invitationDates
  return {
    invitation: { id, email, role, createdAt: created_at.toISOString(), expiresAt: expires_at.toISOString() },
    token,
  }
}

/** The link was sent to the email, and is known to nobody else. */
export async function recordInvitationMailed(db: Db, token: string): Promise<void> {
  await db.updateTable('invitations').set({ mailed: true }).where('digest', '=', digestSecretToken(token)).execute()
}

/** The invitations of an account that wait, newest first. */
export async function listInvitations(db: Db, account: AccountId, now: number): Promise<InvitationResource[]> {
  const rows = await db
    .selectFrom('invitations')
    .select(['id', 'email', 'role', 'created_at', 'expires_at'])
    .where('account', '=', account)
    .where('expires_at', '>', new Date(now))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(({ id, email, role, created_at, expires_at }) => ({
    id,
    email,
    role: role as MemberRole,
    createdAt: created_at.toISOString(),
    expiresAt: expires_at.toISOString(),
  }))
}

/** Takes an invitation back. Throws notFound. */
export async function removeInvitation(db: Db, account: AccountId, text: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('invitations')
    .where('account', '=', account)
    .where('id', '=', parseUuid(text) ?? null)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFoundProblem('invitation', text)
}

/** The invitation of a token. Throws notFound. */
export async function loadInvitationByToken(db: Db, token: string, now: number): Promise<OpenInvitation> {
  const { rows } = await sql<OpenInvitation>`
    select i.id, i.account, a.agency || a.customer as code, a.name as "accountName", i.email, i.role, i.mailed,
      i.expires_at as "expiresAt", exists (select from people p where address_key(p.email) = address_key(i.email)) as known
    from invitations i join accounts a on a.id = i.account
    where i.digest = ${digestSecretToken(token)} and i.expires_at > ${new Date(now)}`.execute(db)
  if (!rows[0]) throw unknownInvitationProblem()
  return rows[0]
}

async function acceptAsNewUser(
  context: SignInContext,
  { invitation, visitor }: { invitation: OpenInvitation; visitor: SignInBrowser },
  { name, password }: InvitationAcceptance,
  locale: UserLocale,
): Promise<UserRow> {
  const { id, email, mailed } = invitation
  if (typeof name !== 'string') throw badRequestProblem('/name', 'is required')
  if (typeof password !== 'string') throw badRequestProblem('/password', 'is required')
  await assertPasswordStrength(password, email, '/password')
  const passwordHash = await context.passwords.hash(password)
  return inTransaction(context.db, async (tx) => {
    // Of two at once the later one learns that there is no invitation, not that there is a person.
    await lockInvitation(tx, id)
    const newUser = { email, name, locale, password: passwordHash, emailConfirmed: mailed }
    const person = await createUser(tx, newUser, new Date(context.clock.now()))
    await redeemInvitation(tx, context, id, { person: { id: person, name }, visitor })
    return loadUser(tx, person)
  })
}

/**
 * Accepts an invitation. A new person is made with name and password; one who is known gives the password that is theirs, and
 * then their second factor where there is one, or is signed in already (`signedIn`: their id), and then no sign-in follows.
 * Throws notFound, 400, 401, 409, 429.
 */
export async function acceptInvitation(
  context: SignInContext,
  token: string,
  {
    given: acceptance,
    locale,
    signedIn,
  }: { given: InvitationAcceptance; locale: UserLocale; signedIn: string | undefined },
  visitor: SignInBrowser,
): Promise<SignInOutcome | undefined> {
  const { db } = context
  const invitation = await loadInvitationByToken(db, token, context.clock.now())
  const existingUser = await findUser(db, { email: invitation.email })
  if (existingUser && existingUser.id === signedIn) {
    await inTransaction(db, async (tx) => {
      await lockUserAccounts(tx, existingUser.id)
      await redeemInvitation(tx, context, invitation.id, { person: existingUser, visitor })
    })
    return undefined
  }
  if (!existingUser) {
    const person = await acceptAsNewUser(context, { invitation, visitor }, acceptance, locale)
    return beginSignInSession(context, person, { factor: 'none', confirmed: true, visitor })
  }
  if (typeof acceptance.password !== 'string')
    throw badRequestProblem('/password', 'is required: your current password')
  const person = await verifyUserPassword(
    context,
    { email: existingUser.email, password: acceptance.password },
    visitor,
  )
  return completeFirstFactor(context, person, { confirmed: true, visitor, invitation: invitation.id })
}
