import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { AUDIT_MASK } from '../../audit/masking.ts'
import type { AuditChanges } from '../../audit/record-audit.ts'
import {
  addAccountMember,
  createUser,
  findUser,
  hasUsers,
  parseUserEmail,
  setUserPassword,
  type UserRow,
} from '../people.ts'
import type { UserLocale } from '../people-schemas.ts'
import { confirmUserEmail } from '../sessions/sessions.ts'
import { assertPasswordStrength } from '../sign-in/passwords.ts'
import { digestSecretToken, generateSecretToken } from '../sign-in/secrets.ts'
import { beginSignInSession, type SignInBrowser, type SignInContext, type SignInOutcome } from '../sign-in/sign-in.ts'
import { recordUserAudit } from '../told.ts'

const RESET_LINK_TTL_MS = 3600 * 1000
/** Seal context of the email of a reset job. */
export const RESET_EMAIL_CONTEXT = 'reset of a password'
const SET_UP_LINK_TTL_MS = 24 * 3600 * 1000

/** A link of the console with its token behind #, where no server, proxy or log sees it: the page sends it in the body of a POST. */
export function buildConsoleLink(publicUrl: string, page: 'setup' | 'reset' | 'invitation', token: string): string {
  return `${publicUrl}/console/${page}#token=${token}`
}

/** A token that gives a person a new password, once within an hour. `mailed`: it is sent to the email and nowhere else. */
export async function createPasswordResetToken(
  db: Db,
  person: string,
  { mailed, now }: { mailed: boolean; now: number },
): Promise<string> {
  const token = generateSecretToken()
  await db
    .insertInto('person_links')
    .values({ digest: digestSecretToken(token), person, mailed, expires_at: new Date(now + RESET_LINK_TTL_MS) })
    .execute()
  return token
}

/** A token that sets up the first person, once within a day; undefined while there is a person. */
export async function createSetUpToken(db: Db, now: number): Promise<string | undefined> {
  if (await hasUsers(db)) return undefined
  const token = generateSecretToken()
  await db
    .insertInto('person_links')
    .values({ digest: digestSecretToken(token), expires_at: new Date(now + SET_UP_LINK_TTL_MS) })
    .execute()
  return token
}

interface LinkRow {
  person: string | null
  mailed: boolean
}

async function findLink(db: Db, token: string, now: number): Promise<LinkRow | undefined> {
  return db
    .selectFrom('person_links')
    .select(['person', 'mailed'])
    .where('digest', '=', digestSecretToken(token))
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst()
}

/** Takes a link that was found: of two at once one does. Throws notFound. */
async function consumeLink(db: Db, token: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('person_links')
    .where('digest', '=', digestSecretToken(token))
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw linkNotFoundProblem()
}

function linkNotFoundProblem(): Error {
  return notFoundProblem('link', 'for this token: it has been used, has expired or is incomplete')
}

/**
 * True if a mail may reset the password of a person. The first one would remove the second factors that were set up before. Those of an
 * operator can only be removed by the command line.
 */
export function canResetPassword({ active, operator, emailConfirmed, hasTotp, hasPasskey }: UserRow): boolean {
  return active && (!operator || emailConfirmed || !(hasTotp || hasPasskey))
}

/** Gives the person of a reset token a new password, and ends all sessions. Throws notFound, 400 for the password. */
export async function resetPassword(
  { db, passwords, clock }: SignInContext,
  token: string,
  password: string,
  visitor: SignInBrowser,
): Promise<void> {
  const link = await findLink(db, token, clock.now())
  const person = link?.person ? await findUser(db, { id: link.person }) : undefined
  if (!link || !person?.active || (link.mailed && !canResetPassword(person))) throw linkNotFoundProblem()
  await assertPasswordStrength(password, person.email, '/password')
  const passwordHash = await passwords.hash(password)
  await inTransaction(db, async (tx) => {
    await consumeLink(tx, token)
    await tx.deleteFrom('person_links').where('person', '=', person.id).execute()
    await setUserPassword(tx, person.id, passwordHash)
    await recordUserAudit(tx, { clock }, visitor, { person, changes: { '/password': [AUDIT_MASK, AUDIT_MASK] } })
    if (link.mailed) await confirmUserEmail(tx, person.id)
  })
}

/** Sets up the first person: operator, and admin of the first account. Throws notFound, 400 for email and password. */
export async function setUpFirstUser(
  context: SignInContext,
  setUpInput: { token: string; email: string; name: string; password: string; locale: UserLocale },
  visitor: SignInBrowser,
): Promise<SignInOutcome> {
  const { db, passwords, clock } = context
  const link = await findLink(db, setUpInput.token, clock.now())
  if (!link || link.person !== null) throw linkNotFoundProblem()
  const email = parseUserEmail(setUpInput.email)
  await assertPasswordStrength(setUpInput.password, email, '/password')
  const passwordHash = await passwords.hash(setUpInput.password)
  const person = await inTransaction(db, async (tx): Promise<UserRow | undefined> => {
    await sql`select pg_advisory_xact_lock(hashtext('stentor first person'))`.execute(tx)
    if (await hasUsers(tx)) throw linkNotFoundProblem()
    await consumeLink(tx, setUpInput.token)
    await tx.deleteFrom('person_links').where('person', 'is', null).execute()
    const now = new Date(clock.now())
    const { name, locale } = setUpInput
    const id = await createUser(
      tx,
      { email, name, locale, password: passwordHash, operator: true, emailConfirmed: false },
      now,
    )
    const firstAccount = await tx.selectFrom('accounts').select('id').orderBy('id').limit(1).executeTakeFirst()
    if (firstAccount) await addAccountMember(tx, { account: firstAccount.id, person: id, role: 'admin' }, now)
    const changes: AuditChanges = { '/operator': [null, true] }
    await recordUserAudit(tx, { clock }, visitor, {
      person: { id, name },
      changes,
      ...(firstAccount && { account: firstAccount.id }),
    })
    return findUser(tx, { id })
  })
  if (!person) throw linkNotFoundProblem()
  return beginSignInSession(context, person, { factor: 'none', confirmed: true, visitor })
}
