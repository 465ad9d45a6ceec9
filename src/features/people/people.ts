import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { refusing } from '../../database/errors.ts'
import type { AccountId, PersonRole } from '../../lib/account.ts'
import { badRequest, conflict, notFound } from '../../lib/errors/problem.ts'
import { addressKey, readMailAddress } from '../../lib/text/mail-address.ts'
import type { Locale, Person } from './people-schemas.ts'

/** Reads the email of a person in the form in which addresses are compared. Throws 400. */
export function readEmail(text: string, pointer = '/email'): string {
  const address = readMailAddress(text.trim())
  if (address === undefined) throw badRequest(pointer, 'must be an email address such as ann@shop.example')
  return addressKey(address)
}

/** A person as the domain has it; never shown. */
export interface PersonRow {
  id: string
  email: string
  name: string
  locale: Locale
  active: boolean
  operator: boolean
  password: string | null
  emailConfirmed: boolean
  lastSignInAt: Date | null
  hasTotp: boolean
  hasPasskey: boolean
}

const row = sql`
  p.id, p.email, p.name, p.locale, p.active, p.operator, p.password, p.email_confirmed as "emailConfirmed",
  p.last_sign_in_at as "lastSignInAt",
  exists (select from totp_secrets t where t.person = p.id and t.sealed is not null) as "hasTotp",
  exists (select from passkeys k where k.person = p.id) as "hasPasskey"`

/** The person with an id or an email from readEmail, preferably stored in that form; undefined if nobody has it. */
export async function findPerson(db: Db, by: { id: string } | { email: string }): Promise<PersonRow | undefined> {
  const match =
    'id' in by ? sql`p.id = ${by.id}` : sql`address_key(p.email) = ${by.email} order by p.email <> ${by.email} limit 1`
  const { rows } = await sql<PersonRow>`select ${row} from people p where ${match}`.execute(db)
  return rows[0]
}

/** The active people whose stored email differs from the form of readEmail, with the other active people of the same address. */
export async function findOldEmails(db: Db): Promise<{ id: string; sharing: string[] }[]> {
  const { rows } = await sql<{ id: string; sharing: string[] }>`
    select p.id, array(select o.id::text from people o
      where address_key(o.email) = address_key(p.email) and o.id <> p.id and o.active order by o.id) as sharing
    from people p where p.active and p.email <> address_key(p.email) order by p.id`.execute(db)
  return rows
}

/** As findPerson by id. Throws notFound. */
export async function loadPerson(db: Db, id: string): Promise<PersonRow> {
  const person = await findPerson(db, { id })
  if (!person) throw notFound('person', id)
  return person
}

/** Locks the row of a person until the transaction ends, and reads it anew; undefined when there is none. */
export async function lockPerson(tx: Db, id: string): Promise<PersonRow | undefined> {
  await sql`select from people where id = ${id} for no key update`.execute(tx)
  return findPerson(tx, { id })
}

/** Whether anybody has been set up. */
export async function hasPeople(db: Db): Promise<boolean> {
  return (await db.selectFrom('people').select('id').limit(1).executeTakeFirst()) !== undefined
}

export interface NewPerson {
  email: string
  name: string
  locale: Locale
  /** A PHC string; null for one who comes from a provider. */
  password: string | null
  operator?: boolean
  emailConfirmed: boolean
}

/** Makes a person; gives the id. Throws conflict `person-exists`. */
export async function createPerson(db: Db, person: NewPerson, now: Date): Promise<string> {
  const { email, name, locale, password, operator = false, emailConfirmed } = person
  const id = randomUUID()
  await refusing(
    db
      .insertInto('people')
      .values({ id, email, name, locale, password, operator, email_confirmed: emailConfirmed, created_at: now })
      .execute(),
    { unique: () => conflict('person-exists', 'There is a person with this email: sign in.') },
  )
  return id
}

const shown = (memberships: RawBuilder<unknown>) => sql<Person>`
  select p.id, p.email, p.name, p.locale, p.active, p.operator,
    case when exists (select from passkeys k where k.person = p.id) then 'passkey'
      when exists (select from totp_secrets t where t.person = p.id and t.sealed is not null) then 'totp'
      else 'none' end as "secondFactor",
    ${iso(sql`p.created_at`)} as "createdAt", ${iso(sql`p.last_sign_in_at`)} as "lastSignInAt",
    coalesce((select jsonb_agg(jsonb_build_object('account', a.agency || a.customer, 'role', m.role) order by a.agency, a.customer)
      from memberships m join accounts a on a.id = m.account where m.person = p.id and ${memberships}), '[]') as memberships
  from people p`

function iso(column: RawBuilder<unknown>): RawBuilder<string> {
  return sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** The people of an account, by email. Of their memberships that one is shown, to operators all. */
export async function listPeople(
  db: Db,
  account: AccountId,
  { all, id }: { all: boolean; id?: string },
): Promise<Person[]> {
  const { rows } = await sql<Person>`
    ${shown(all ? sql`true` : sql`m.account = ${account}`)}
    where exists (select from memberships own where own.person = p.id and own.account = ${account})
      and (${id ?? null}::uuid is null or p.id = ${id ?? null}::uuid)
    order by p.email`.execute(db)
  return rows
}

/** A person with all memberships. Throws notFound. */
export async function showPerson(db: Db, id: string): Promise<Person> {
  const { rows } = await sql<Person>`${shown(sql`true`)} where p.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound('person', id)
  return rows[0]
}

/** Everybody, for the command line. */
export async function listEverybody(db: Db): Promise<Person[]> {
  const { rows } = await sql<Person>`${shown(sql`true`)} order by p.email`.execute(db)
  return rows
}

/** Gives a role in an account, by hand. One that a provider gave becomes one given by hand. */
export async function addMember(
  db: Db,
  member: { account: AccountId; person: string; role: PersonRole },
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
export async function updateProfile(db: Db, id: string, profile: { name?: string; locale?: Locale }): Promise<void> {
  const { name, locale } = profile
  if (name === undefined && locale === undefined) return
  await db
    .updateTable('people')
    .set({ ...(name !== undefined && { name }), ...(locale !== undefined && { locale }) })
    .where('id', '=', id)
    .execute()
}

/** Stores a new password (a PHC string), and ends the sessions but `except`. */
export async function setPassword(tx: Db, id: string, password: string, except?: string): Promise<void> {
  await tx.updateTable('people').set({ password }).where('id', '=', id).execute()
  await endSessionsOf(tx, id, except)
}

/** Ends the sessions of a person, and sign-ins that await their second factor. */
export async function endSessionsOf(db: Db, person: string, except?: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('person', '=', person)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? ''))
    .execute()
  await db.deleteFrom('sign_in_attempts').where('person', '=', person).execute()
}
