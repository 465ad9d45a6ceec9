import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { notFound } from '../../../lib/errors/problem.ts'
import { MASK } from '../../audit/masking.ts'
import type { Changes } from '../../audit/record.ts'
import { addMember, createPerson, findPerson, hasPeople, type PersonRow, readEmail, setPassword } from '../people.ts'
import type { Locale } from '../people-schemas.ts'
import { confirmEmail } from '../sessions/sessions.ts'
import { checkPassword } from '../sign-in/passwords.ts'
import { digestOf, newToken } from '../sign-in/secrets.ts'
import { begin, type Outcome, type SignInContext, type Visitor } from '../sign-in/sign-in.ts'
import { tellOf } from '../told.ts'

const RESET_MS = 3600 * 1000
/** What the sealed email of a job is sealed for. */
export const RESET_CONTEXT = 'reset of a password'
const SET_UP_MS = 24 * 3600 * 1000

/** A link of the console with its token behind #, where no server, proxy or log sees it: the page sends it in the body of a POST. */
export function consoleLink(publicUrl: string, page: 'setup' | 'reset' | 'invitation', token: string): string {
  return `${publicUrl}/console/${page}#token=${token}`
}

/** A token that gives a person a new password, once within an hour. `mailed`: it is sent to the email and nowhere else. */
export async function makeReset(
  db: Db,
  person: string,
  { mailed, now }: { mailed: boolean; now: number },
): Promise<string> {
  const token = newToken()
  await db
    .insertInto('person_links')
    .values({ digest: digestOf(token), person, mailed, expires_at: new Date(now + RESET_MS) })
    .execute()
  return token
}

/** A token that sets up the first person, once within a day; undefined while there is a person. */
export async function makeSetUp(db: Db, now: number): Promise<string | undefined> {
  if (await hasPeople(db)) return undefined
  const token = newToken()
  await db
    .insertInto('person_links')
    .values({ digest: digestOf(token), expires_at: new Date(now + SET_UP_MS) })
    .execute()
  return token
}

interface Link {
  person: string | null
  mailed: boolean
}

async function findLink(db: Db, token: string, now: number): Promise<Link | undefined> {
  return db
    .selectFrom('person_links')
    .select(['person', 'mailed'])
    .where('digest', '=', digestOf(token))
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst()
}

/** Takes a link that was found: of two at once one does. Throws notFound. */
async function takeLink(db: Db, token: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('person_links')
    .where('digest', '=', digestOf(token))
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw unknownLink()
}

function unknownLink(): Error {
  return notFound('link', 'of this token: it was used, is too old, or is not complete')
}

/**
 * Whether a mail may reset the password of a person. The first one would take the second factors away that were set up before;
 * those of an operator are for the command line to take away.
 */
export function mayReset({ active, operator, emailConfirmed, hasTotp, hasPasskey }: PersonRow): boolean {
  return active && (!operator || emailConfirmed || !(hasTotp || hasPasskey))
}

/** Gives the person of a reset token a new password, and ends all sessions. Throws notFound, 400 for the password. */
export async function resetPassword(
  { db, passwords, clock }: SignInContext,
  token: string,
  password: string,
  visitor: Visitor,
): Promise<void> {
  const link = await findLink(db, token, clock.now())
  const person = link?.person ? await findPerson(db, { id: link.person }) : undefined
  if (!link || !person?.active || (link.mailed && !mayReset(person))) throw unknownLink()
  await checkPassword(password, person.email, '/password')
  const hash = await passwords.hash(password)
  await inTransaction(db, async (tx) => {
    await takeLink(tx, token)
    await tx.deleteFrom('person_links').where('person', '=', person.id).execute()
    await setPassword(tx, person.id, hash)
    await tellOf(tx, { clock }, visitor, { person, changes: { '/password': [MASK, MASK] } })
    if (link.mailed) await confirmEmail(tx, person.id)
  })
}

/** Sets up the first person: operator, and admin of the first account. Throws notFound, 400 for email and password. */
export async function setUp(
  context: SignInContext,
  given: { token: string; email: string; name: string; password: string; locale: Locale },
  visitor: Visitor,
): Promise<Outcome> {
  const { db, passwords, clock } = context
  const link = await findLink(db, given.token, clock.now())
  if (!link || link.person !== null) throw unknownLink()
  const email = readEmail(given.email)
  await checkPassword(given.password, email, '/password')
  const password = await passwords.hash(given.password)
  const person = await inTransaction(db, async (tx): Promise<PersonRow | undefined> => {
    await sql`select pg_advisory_xact_lock(hashtext('stentor first person'))`.execute(tx)
    if (await hasPeople(tx)) throw unknownLink()
    await takeLink(tx, given.token)
    await tx.deleteFrom('person_links').where('person', 'is', null).execute()
    const now = new Date(clock.now())
    const { name, locale } = given
    const id = await createPerson(tx, { email, name, locale, password, operator: true, emailConfirmed: false }, now)
    const first = await tx.selectFrom('accounts').select('id').orderBy('id').limit(1).executeTakeFirst()
    if (first) await addMember(tx, { account: first.id, person: id, role: 'admin' }, now)
    const changes: Changes = { '/operator': [null, true] }
    await tellOf(tx, { clock }, visitor, { person: { id, name }, changes, ...(first && { account: first.id }) })
    return findPerson(tx, { id })
  })
  if (!person) throw unknownLink()
  return begin(context, person, { factor: 'none', confirmed: true, visitor })
}

/** Deletes links that are too old. */
export async function forgetLinks(db: Db, now: number): Promise<void> {
  await db.deleteFrom('person_links').where('expires_at', '<', new Date(now)).execute()
}
