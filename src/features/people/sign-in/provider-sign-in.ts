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

/** Where it is said what an operator should know. */
type Warns = Pick<Logger, 'warn'>

function refused(detail: string): Problem {
  return new Problem(403, 'not-invited', detail)
}

/** Whether an email is invited anywhere. */
async function isInvited(db: Db, email: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from invitations where email = ${email} and expires_at > ${now} limit 1 for update`.execute(db)
  return rows.length > 0
}

/**
 * Takes the invitations of an email that a provider has verified, but for one that would give the only admin of its account
 * another role: it waits on.
 */
async function takeInvitations(tx: Db, person: string, email: string, now: Date): Promise<void> {
  const kept = await lockSoleAdminAccounts(tx, person)
  await sql`
    with taken as (
      delete from invitations i using accounts a
      where a.id = i.account and i.email = ${email} and i.expires_at > ${now}
        and (i.role = 'admin' or (a.agency || a.customer) <> all(${kept}::text[]))
      returning i.account, i.role)
    insert into memberships (account, person, role, source, created_at)
    select account, ${person}, role, 'hand', ${now} from taken
    on conflict (account, person) do update set role = excluded.role, source = 'hand'`.execute(tx)
}

interface Coming {
  identity: ProviderIdentity
  trustsEmail: boolean
  wanted: ReadonlyMap<string, MemberRole>
  locale: UserLocale
  now: Date
}

/** The email of an identity that is the person's own. Throws 403. */
function verifiedEmail({ email, emailVerified }: ProviderIdentity, trustsEmail: boolean): string {
  if (email === undefined) throw refused('The provider does not say your email: whoever runs it lets it send "email".')
  if (emailVerified === false) throw refused('The provider says that your email is not verified: ask whoever runs it.')
  if (emailVerified === undefined && !trustsEmail)
    throw refused(
      'The provider does not say whether your email is verified. Where it gives addresses to their owners alone, whoever runs this service sets STENTOR_OIDC_TRUST_EMAIL=on.',
    )
  return parseUserEmail(email)
}

/** Throws 403 when the person has signed in as somebody else of the provider: the address may have been given to another person. */
async function refuseRecycled(tx: Db, person: string, { issuer }: ProviderIdentity): Promise<void> {
  const other = await tx
    .selectFrom('provider_identities')
    .select('subject')
    .where('person', '=', person)
    .where('issuer', '=', issuer)
    .executeTakeFirst()
  if (other)
    throw refused(
      'A person with your email signs in here by another account of the provider: ask an operator to give that person another email, or to deactivate them.',
    )
}

/** The person who joins with an identity that comes for the first time. Throws 403. */
async function join(tx: Db, { identity, trustsEmail, wanted, locale, now }: Coming): Promise<string> {
  const { name } = identity
  const email = verifiedEmail(identity, trustsEmail)
  const present = await findUser(tx, { email })
  if (present) await refuseRecycled(tx, present.id, identity)
  if (present && !present.emailConfirmed)
    throw refused(
      'There is a person with your email, who has not shown that it is theirs: ask for a new password by mail first.',
    )
  if (!present && wanted.size === 0 && !(await isInvited(tx, email, now)))
    throw refused('You are not invited: ask an admin of your account.')
  const made = { email, name: (name ?? email).slice(0, 200), locale, password: null, emailConfirmed: true }
  const person = present?.id ?? (await createUser(tx, made, now))
  // Who has a second factor of their own accepts by the link, once that was given.
  const isProven = identity.strong || (!present?.hasTotp && !present?.hasPasskey)
  if (isProven) await takeInvitations(tx, person, email, now)
  return person
}

async function identified(tx: Db, coming: Coming): Promise<UserRow> {
  const { issuer, subject } = coming.identity
  // First sign-ins of one identity at once make one person.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`stentor identity ${issuer} ${subject}`}, 0))`.execute(tx)
  const known = await tx
    .selectFrom('provider_identities')
    .select('person')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  const id = known?.person ?? (await join(tx, coming))
  if (!known)
    await tx.insertInto('provider_identities').values({ issuer, subject, person: id, created_at: coming.now }).execute()
  const person = await findUser(tx, { id })
  if (!person?.active) throw refused('You were deactivated here: ask an admin of your account.')
  return person
}

/** Brings roles in line with what the provider says, but for the last admin of an account: that one stays, and it is told. */
async function bringInLine(
  tx: Db,
  { clock }: Pick<SignInContext, 'clock'>,
  person: UserRow,
  { wanted, visitor, log }: { wanted: ReadonlyMap<string, MemberRole>; visitor: SignInBrowser; log: Warns },
): Promise<void> {
  const onlyAdminOf = await lockSoleAdminAccounts(tx, person.id)
  const before = await readGrantedRoles(tx, person.id)
  const kept = onlyAdminOf.filter((code) => before[code] === 'admin' && wanted.get(code) !== 'admin')
  await syncProviderRoles(
    tx,
    person.id,
    new Map([...wanted, ...kept.map((code) => [code, 'admin'] as const)]),
    clock.now(),
  )
  const changes = diffAuditSnapshots({ before, after: await readGrantedRoles(tx, person.id) }, [])
  if (Object.keys(changes).length > 0) await recordUserAudit(tx, { clock }, visitor, { person, changes })
  if (kept.length === 0) return
  log.warn({ accounts: kept }, 'the provider would take away the last admin of an account: the role stays')
  const refusals = kept.map((code) => [`/${code}`, ['admin', wanted.get(code) ?? null]] as const)
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
  { identity, locale, log }: { identity: ProviderIdentity; locale: UserLocale; log: Warns },
  visitor: SignInBrowser,
): Promise<SignInOutcome> {
  const now = new Date(context.clock.now())
  const wanted = parseProviderRoles(settings, identity.roles)
  const person = await inTransaction(context.db, async (tx) => {
    const signedIn = await identified(tx, { identity, trustsEmail: settings.trustsEmail, wanted, locale, now })
    if (settings.roles && !signedIn.operator) await bringInLine(tx, context, signedIn, { wanted, visitor, log })
    return signedIn
  })
  if (identity.strong) return beginSignInSession(context, person, { factor: 'provider', confirmed: false, visitor })
  return completeFirstFactor(context, person, { confirmed: false, visitor })
}
