import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import type { AccountId, MemberRole } from '../../lib/account.ts'
import { badRequestProblem, conflictProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { parseMailAddress, toMailAddressKey } from '../../lib/text/mail-address.ts'
import type { UserLocale, UserResource } from './people-schemas.ts'

/** Reads the email of a person in the form in which addresses are compared. Throws 400. */
export function parseUserEmail(text: string, pointer = '/email'): string {
  const address = parseMailAddress(text.trim())
  if (address === undefined) throw badRequestProblem(pointer, 'must be an email address such as ann@shop.example')
  return toMailAddressKey(address)
}

/** A person as the domain has it; never shown. */
export interface UserRow {
  id: string
  email: string
  name: string
  locale: UserLocale
  active: boolean
  operator: boolean
  password: string | null
  emailConfirmed: boolean
  lastSignInAt: Date | null
  hasTotp: boolean
  hasPasskey: boolean
}

const userColumns = sql`
  p.id, p.email, p.name, p.locale, p.active, p.operator, p.password, p.email_confirmed as "emailConfirmed",
  p.last_sign_in_at as "lastSignInAt",
  exists (select from totp_secrets t where t.person = p.id and t.sealed is not null) as "hasTotp",
  exists (select from passkeys k where k.person = p.id) as "hasPasskey"`

/** The person with an id or an email from parseUserEmail, preferably stored in that form; undefined if nobody has it. */
export async function findUser(db: Db, by: { id: string } | { email: string }): Promise<UserRow | undefined> {
  const userCondition =
    'id' in by ? sql`p.id = ${by.id}` : sql`address_key(p.email) = ${by.email} order by p.email <> ${by.email} limit 1`
  const { rows } = await sql<UserRow>`select ${userColumns} from people p where ${userCondition}`.execute(db)
  return rows[0]
}

/** The active people whose stored email differs from the form of parseUserEmail, with the other active people of the same address. */
export async function findUnnormalizedEmails(db: Db): Promise<{ id: string; sharing: string[] }[]> {
  const { rows } = await sql<{ id: string; sharing: string[] }>`
    select p.id, array(select o.id::text from people o
      where address_key(o.email) = address_key(p.email) and o.id <> p.id and o.active order by o.id) as sharing
    from people p where p.active and p.email <> address_key(p.email) order by p.id`.execute(db)
  return rows
}

/** As findUser by id. Throws notFound. */
export async function loadUser(db: Db, id: string): Promise<UserRow> {
  const person = await findUser(db, { id })
  if (!person) throw notFoundProblem('person', id)
  return person
}

/** Locks the row of a person until the transaction ends, and reads it again. `undefined` if it does not exist. */
export async function lockUser(tx: Db, id: string): Promise<UserRow | undefined> {
  await sql`select from people where id = ${id} for no key update`.execute(tx)
  return findUser(tx, { id })
}

/** True if any person has been set up. */
export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('people').select('id').limit(1).executeTakeFirst()) !== undefined
}

export interface NewUser {
  email: string
  name: string
  locale: UserLocale
  /** A PHC string; null for one who comes from a provider. */
  password: string | null
  operator?: boolean
  emailConfirmed: boolean
}

/** Makes a person; gives the id. Throws conflict `person-exists`. */
export async function createUser(db: Db, person: NewUser, now: Date): Promise<string> {
  const { email, name, locale, password, operator = false, emailConfirmed } = person
  const id = randomUUID()
  await mapConstraintErrors(
    db
      .insertInto('people')
      .values({ id, email, name, locale, password, operator, email_confirmed: emailConfirmed, created_at: now })
      .execute(),
    { unique: () => conflictProblem('person-exists', 'A user with this email already exists. Sign in.') },
  )
  return id
}

const selectUserResources = (memberships: RawBuilder<unknown>) => sql<UserResource>`
  select p.id, p.email, p.name, p.locale, p.active, p.operator,
    case when exists (select from passkeys k where k.person = p.id) then 'passkey'
      when exists (select from totp_secrets t where t.person = p.id and t.sealed is not null) then 'totp'
      else 'none' end as "secondFactor",
    ${toIsoText(sql`p.created_at`)} as "createdAt", ${toIsoText(sql`p.last_sign_in_at`)} as "lastSignInAt",
    coalesce((select jsonb_agg(jsonb_build_object('account', a.agency || a.customer, 'role', m.role) order by a.agency, a.customer)
      from memberships m join accounts a on a.id = m.account where m.person = p.id and ${memberships}), '[]') as memberships
  from people p`

function toIsoText(column: RawBuilder<unknown>): RawBuilder<string> {
  return sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** The people of an account, by email. Of their memberships that one is shown, to operators all. */
export async function listAccountMembers(
  db: Db,
  account: AccountId,
  { all: showsAllMemberships, id }: { all: boolean; id?: string },
): Promise<UserResource[]> {
  const { rows } = await sql<UserResource>`
    ${selectUserResources(showsAllMemberships ? sql`true` : sql`m.account = ${account}`)}
    where exists (select from memberships own where own.person = p.id and own.account = ${account})
      and (${id ?? null}::uuid is null or p.id = ${id ?? null}::uuid)
    order by p.email`.execute(db)
  return rows
}

/** A person with all memberships. Throws notFound. */
export async function loadUserResource(db: Db, id: string): Promise<UserResource> {
  const { rows } = await sql<UserResource>`${selectUserResources(sql`true`)} where p.id = ${id}`.execute(db)
  if (!rows[0]) throw notFoundProblem('person', id)
  return rows[0]
}

/** Everybody, for the command line. */
export async function listAllUsers(db: Db): Promise<UserResource[]> {
  const { rows } = await sql<UserResource>`${selectUserResources(sql`true`)} order by p.email`.execute(db)
  return rows
}

/** Gives a role in an account, by hand. One that a provider gave becomes one given by hand. */
export async function addAccountMember(
  db: Db,
  member: { account: AccountId; person: string; role: MemberRole },
  now: Date,
): Promise<void> {
  await db
    .insertInto('memberships')
    .values({ ...member, source: 'hand', created_at: now })
    .onConflict((conflict) =>
      conflict.columns(['account', 'person']).doUpdateSet({ role: member.role, source: 'hand' }),
    )
    .execute()
}

/** Changes what people say of themselves. */
export async function updateUserProfile(
  db: Db,
  id: string,
  profile: { name?: string; locale?: UserLocale },
): Promise<void> {
  const { name, locale } = profile
  if (name === undefined && locale === undefined) return
  await db
    .updateTable('people')
    .set({ ...(name !== undefined && { name }), ...(locale !== undefined && { locale }) })
    .where('id', '=', id)
    .execute()
}

/** Stores a new password (a PHC string), and ends the sessions but `except`. */
export async function setUserPassword(tx: Db, id: string, password: string, except?: string): Promise<void> {
  await tx.updateTable('people').set({ password }).where('id', '=', id).execute()
  await endUserSessions(tx, id, except)
}

/** Ends the sessions of a person, and sign-ins that await their second factor. */
export async function endUserSessions(db: Db, person: string, except?: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('person', '=', person)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? ''))
    .execute()
  await db.deleteFrom('sign_in_attempts').where('person', '=', person).execute()
}
