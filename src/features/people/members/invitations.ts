import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { AccountId, PersonRole } from '../../../lib/account.ts'
import { badRequest, conflict, notFound } from '../../../lib/errors/problem.ts'
import { readUuid } from '../../../lib/ids.ts'
import { createPerson, findPerson, loadPerson, type PersonRow } from '../people.ts'
import type { Acceptance, Invitation, Locale } from '../people-schemas.ts'
import { checkPassword } from '../sign-in/passwords.ts'
import { digestOf, newToken } from '../sign-in/secrets.ts'
import {
  afterFirstFactor,
  begin,
  judgePassword,
  type Outcome,
  type SignInContext,
  type Visitor,
} from '../sign-in/sign-in.ts'
import { lockAccountsOf } from './members.ts'
import { lockInvitation, takeInvitation, unknownInvitation } from './taken-invitations.ts'

const INVITATION_MS = 7 * 24 * 3600 * 1000

/** An invitation that a token opens. */
export interface OpenInvitation {
  id: string
  account: AccountId
  code: string
  accountName: string
  email: string
  role: PersonRole
  mailed: boolean
  expiresAt: Date
  known: boolean
}

/** Invites an email into an account, or again: links sent before are void. Throws conflict `already-member`. */
export async function invite(
  db: Db,
  { account, email, role }: { account: AccountId; email: string; role: PersonRole },
  now: number,
): Promise<{ invitation: Invitation; token: string }> {
  const token = newToken()
  const member = await db
    .selectFrom('people as p')
    .innerJoin('memberships as m', 'm.person', 'p.id')
    .select('p.id')
    .where(sql`address_key(p.email)`, '=', email)
    .where('m.account', '=', account)
    .executeTakeFirst()
  if (member) throw conflict('already-member', `${email} is a member of the account already.`)
  const made = { digest: digestOf(token), role, mailed: false }
  const dates = { created_at: new Date(now), expires_at: new Date(now + INVITATION_MS) }
  const { id } = await db
    .insertInto('invitations')
    .values({ id: randomUUID(), account, email, ...made, ...dates })
    .onConflict((conflict) => conflict.columns(['account', 'email']).doUpdateSet({ ...made, ...dates }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const { created_at, expires_at } = dates
  return {
    invitation: { id, email, role, createdAt: created_at.toISOString(), expiresAt: expires_at.toISOString() },
    token,
  }
}

/** The link was sent to the email, and is known to nobody else. */
export async function noteMailed(db: Db, token: string): Promise<void> {
  await db.updateTable('invitations').set({ mailed: true }).where('digest', '=', digestOf(token)).execute()
}

/** The invitations of an account that wait, newest first. */
export async function listInvitations(db: Db, account: AccountId, now: number): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('invitations')
    .select(['id', 'email', 'role', 'created_at', 'expires_at'])
    .where('account', '=', account)
    .where('expires_at', '>', new Date(now))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(({ id, email, role, created_at, expires_at }) => ({
    ...{ id, email, role: role as PersonRole },
    ...{ createdAt: created_at.toISOString(), expiresAt: expires_at.toISOString() },
  }))
}

/** Takes an invitation back. Throws notFound. */
export async function removeInvitation(db: Db, account: AccountId, text: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('invitations')
    .where('account', '=', account)
    .where('id', '=', readUuid(text) ?? null)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFound('invitation', text)
}

/** The invitation of a token. Throws notFound. */
export async function openInvitation(db: Db, token: string, now: number): Promise<OpenInvitation> {
  const { rows } = await sql<OpenInvitation>`
    select i.id, i.account, a.agency || a.customer as code, a.name as "accountName", i.email, i.role, i.mailed,
      i.expires_at as "expiresAt", exists (select from people p where address_key(p.email) = address_key(i.email)) as known
    from invitations i join accounts a on a.id = i.account
    where i.digest = ${digestOf(token)} and i.expires_at > ${new Date(now)}`.execute(db)
  if (!rows[0]) throw unknownInvitation()
  return rows[0]
}

async function acceptAsNew(
  context: SignInContext,
  { invitation, visitor }: { invitation: OpenInvitation; visitor: Visitor },
  { name, password }: Acceptance,
  locale: Locale,
): Promise<PersonRow> {
  const { id, email, mailed } = invitation
  if (typeof name !== 'string') throw badRequest('/name', 'is required')
  if (typeof password !== 'string') throw badRequest('/password', 'is required')
  await checkPassword(password, email, '/password')
  const hash = await context.passwords.hash(password)
  return inTransaction(context.db, async (tx) => {
    // Of two at once the later one learns that there is no invitation, not that there is a person.
    await lockInvitation(tx, id)
    const made = { email, name, locale, password: hash, emailConfirmed: mailed }
    const person = await createPerson(tx, made, new Date(context.clock.now()))
    await takeInvitation(tx, context, id, { person: { id: person, name }, visitor })
    return loadPerson(tx, person)
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
  { given, locale, signedIn }: { given: Acceptance; locale: Locale; signedIn: string | undefined },
  visitor: Visitor,
): Promise<Outcome | undefined> {
  const { db } = context
  const invitation = await openInvitation(db, token, context.clock.now())
  const known = await findPerson(db, { email: invitation.email })
  if (known && known.id === signedIn) {
    await inTransaction(db, async (tx) => {
      await lockAccountsOf(tx, known.id)
      await takeInvitation(tx, context, invitation.id, { person: known, visitor })
    })
    return undefined
  }
  if (!known) {
    const person = await acceptAsNew(context, { invitation, visitor }, given, locale)
    return begin(context, person, { factor: 'none', confirmed: true, visitor })
  }
  if (typeof given.password !== 'string') throw badRequest('/password', 'is required: your own')
  const person = await judgePassword(context, { email: known.email, password: given.password }, visitor)
  return afterFirstFactor(context, person, { confirmed: true, visitor, invitation: invitation.id })
}

/** Deletes invitations that are too old. */
export async function forgetInvitations(db: Db, now: number): Promise<void> {
  await db.deleteFrom('invitations').where('expires_at', '<', new Date(now)).execute()
}
