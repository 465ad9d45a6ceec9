import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { MemberRole } from '../../../lib/account.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { OidcConfig } from '../../../lib/net/oidc-settings.ts'
import { diffAuditSnapshots } from '../../audit/changes.ts'
import { lockSoleAdminAccounts } from '../members/members.ts'
import { createUser, findUser, parseUserEmail, type UserRow } from '../people.ts'
import type { UserLocale } from '../people-schemas.ts'
import { recordUserAudit } from '../told.ts'
import type { ProviderIdentity } from './provider.ts'
import { parseProviderRoles, readGrantedRoles, syncProviderRoles } from './provider-roles.ts'
import {
  beginSignInSession,
  completeFirstFactor,
  type SignInBrowser,
  type SignInContext,
  type SignInOutcome,
} from './sign-in.ts'

/** Logger of warnings for operators. */
type WarningLogger = Pick<Logger, 'warn'>

function notInvitedProblem(detail: string): Problem {
  return new Problem(403, 'not-invited', detail)
}

/** True if an email has an invitation to any account. */
async function isInvited(db: Db, email: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from invitations where email = ${email} and expires_at > ${now} limit 1 for update`.execute(db)
  return rows.length > 0
}

/**
 * Takes the invitations of an email that a provider has verified, but for one that would give the only admin of its account
 * another role: it waits on.
 */
async function acceptInvitations(tx: Db, person: string, email: string, now: Date): Promise<void> {
  const soleAdminAccounts = await lockSoleAdminAccounts(tx, person)
  await sql`
    with taken as (
      delete from invitations i using accounts a
      where a.id = i.account and i.email = ${email} and i.expires_at > ${now}
        and (i.role = 'admin' or (a.agency || a.customer) <> all(${soleAdminAccounts}::text[]))
      returning i.account, i.role)
    insert into memberships (account, person, role, source, created_at)
    select account, ${person}, role, 'hand', ${now} from taken
    on conflict (account, person) do update set role = excluded.role, source = 'hand'`.execute(tx)
}

interface ProviderSignIn {
  identity: ProviderIdentity
  trustsEmail: boolean
  wanted: ReadonlyMap<string, MemberRole>
  locale: UserLocale
  now: Date
}

/** The email of an identity that is the person's own. Throws 403. */
function requireVerifiedEmail({ email, emailVerified }: ProviderIdentity, trustsEmail: boolean): string {
  if (email === undefined)
    throw notInvitedProblem(
      'The provider does not send your email address. Ask its administrator to include the "email" claim.',
    )
  if (emailVerified === false)
    throw notInvitedProblem('The provider reports that your email address is not verified. Ask its administrator.')
  if (emailVerified === undefined && !trustsEmail)
    throw notInvitedProblem(
      'The provider does not report if your email address is verified. If it assigns addresses only to their owners, the operator of this service can set STENTOR_OIDC_TRUST_EMAIL=on.',
    )
  return parseUserEmail(email)
}

/** Throws 403 when the person has signed in as somebody else of the provider: the address may have been given to another person. */
async function assertNotRecycled(tx: Db, person: string, { issuer }: ProviderIdentity): Promise<void> {
  const otherIdentity = await tx
    .selectFrom('provider_identities')
    .select('subject')
    .where('person', '=', person)
    .where('issuer', '=', issuer)
    .executeTakeFirst()
  if (otherIdentity)
    throw notInvitedProblem(
      'A user with your email address signs in with another account of the provider. Ask an operator to change the email address of that user or to deactivate the user.',
    )
}

/** The person who joins with an identity that comes for the first time. Throws 403. */
async function joinUser(
  tx: Db,
  { identity, trustsEmail, wanted: targetRoles, locale, now }: ProviderSignIn,
): Promise<string> {
  const { name } = identity
  const email = requireVerifiedEmail(identity, trustsEmail)
  const existingUser = await findUser(tx, { email })
  if (existingUser) await assertNotRecycled(tx, existingUser.id, identity)
  if (existingUser && !existingUser.emailConfirmed)
    throw notInvitedProblem(
      'A user with your email address exists, but the address is not confirmed. Request a new password by email first.',
    )
  if (!existingUser && targetRoles.size === 0 && !(await isInvited(tx, email, now)))
    throw notInvitedProblem('You are not invited. Ask an admin of your account.')
  const newUser = { email, name: (name ?? email).slice(0, 200), locale, password: null, emailConfirmed: true }
  const person = existingUser?.id ?? (await createUser(tx, newUser, now))
  // Who has a second factor of their own accepts by the link, once that was given.
  const isProven = identity.strong || (!existingUser?.hasTotp && !existingUser?.hasPasskey)
  if (isProven) await acceptInvitations(tx, person, email, now)
  return person
}

async function identifyUser(tx: Db, coming: ProviderSignIn): Promise<UserRow> {
  const { issuer, subject } = coming.identity
  // First sign-ins of one identity at once make one person.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`stentor identity ${issuer} ${subject}`}, 0))`.execute(tx)
  const knownIdentity = await tx
    .selectFrom('provider_identities')
    .select('person')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  const id = knownIdentity?.person ?? (await joinUser(tx, coming))
  if (!knownIdentity)
    await tx.insertInto('provider_identities').values({ issuer, subject, person: id, created_at: coming.now }).execute()
  const person = await findUser(tx, { id })
  if (!person?.active) throw notInvitedProblem('Your user is deactivated. Ask an admin of your account.')
  return person
}

/** Synchronizes roles with those of the provider, except for the last admin of an account: that one stays, and the audit records it. */
async function syncRoles(
  tx: Db,
  { clock }: Pick<SignInContext, 'clock'>,
  person: UserRow,
  {
    wanted: targetRoles,
    visitor,
    log,
  }: { wanted: ReadonlyMap<string, MemberRole>; visitor: SignInBrowser; log: WarningLogger },
): Promise<void> {
  const onlyAdminOf = await lockSoleAdminAccounts(tx, person.id)
  const previousRoles = await readGrantedRoles(tx, person.id)
  const retainedAdminCodes = onlyAdminOf.filter(
    (code) => previousRoles[code] === 'admin' && targetRoles.get(code) !== 'admin',
  )
  await syncProviderRoles(
    tx,
    person.id,
    new Map([...targetRoles, ...retainedAdminCodes.map((code) => [code, 'admin'] as const)]),
    clock.now(),
  )
  const changes = diffAuditSnapshots({ before: previousRoles, after: await readGrantedRoles(tx, person.id) }, [])
  if (Object.keys(changes).length > 0) await recordUserAudit(tx, { clock }, visitor, { person, changes })
  if (retainedAdminCodes.length === 0) return
  log.warn({ accounts: retainedAdminCodes }, 'role retained: without it an account would have no admin')
  const refusals = retainedAdminCodes.map((code) => [`/${code}`, ['admin', targetRoles.get(code) ?? null]] as const)
  await recordUserAudit(tx, { clock }, visitor, {
    person,
    changes: Object.fromEntries(refusals),
    problem: 'last-admin',
  })
}

/** Signs in who came back from a provider: known, invited, or with a role there. Throws 403. */
export async function signInByIdentityProvider(
  context: SignInContext,
  settings: OidcConfig,
  { identity, locale, log }: { identity: ProviderIdentity; locale: UserLocale; log: WarningLogger },
  visitor: SignInBrowser,
): Promise<SignInOutcome> {
  const now = new Date(context.clock.now())
  const targetRoles = parseProviderRoles(settings, identity.roles)
  const person = await inTransaction(context.db, async (tx) => {
    const signedIn = await identifyUser(tx, {
      identity,
      trustsEmail: settings.trustsEmail,
      wanted: targetRoles,
      locale,
      now,
    })
    if (settings.roles && !signedIn.operator)
      await syncRoles(tx, context, signedIn, { wanted: targetRoles, visitor, log })
    return signedIn
  })
  if (identity.strong) return beginSignInSession(context, person, { factor: 'provider', confirmed: false, visitor })
  return completeFirstFactor(context, person, { confirmed: false, visitor })
}
