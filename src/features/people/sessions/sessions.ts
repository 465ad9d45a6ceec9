import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { lockUser } from '../people.ts'
import type { UserSessionResource } from '../people-schemas.ts'
import { removeRecoveryCodes } from '../sign-in/recovery-codes.ts'
import { digestSecretToken, generateSecretToken } from '../sign-in/secrets.ts'

/** A session ends after so long without a request, and after so long in any case. */
export const SESSION_IDLE_MS = 12 * 3600 * 1000
export const SESSION_MAX_AGE_MS = 14 * 24 * 3600 * 1000
const REAUTHENTICATION_TTL_MS = 10 * 60 * 1000
const MAX_BROWSER_LENGTH = 300

/** The factor that was used in addition to the password. */
export type SessionFactor = 'none' | 'totp' | 'passkey' | 'recovery' | 'provider'

/** Origin of a request. */
export interface SessionOrigin {
  address: string
  browser: string
}

/** Makes a session; gives its token, which is nowhere else. */
export async function createUserSession(
  db: Db,
  {
    person,
    factor,
    confirmed,
    origin,
  }: { person: string; factor: SessionFactor; confirmed: boolean; origin: SessionOrigin },
  now: Date,
): Promise<string> {
  const token = generateSecretToken()
  await db
    .insertInto('sessions')
    .values({
      id: randomUUID(),
      person,
      digest: digestSecretToken(token),
      factor,
      browser: origin.browser.slice(0, MAX_BROWSER_LENGTH),
      address: origin.address,
      created_at: now,
      last_used_at: now,
      confirmed_at: confirmed ? now : null,
    })
    .execute()
  await db.updateTable('people').set({ last_sign_in_at: now }).where('id', '=', person).execute()
  return token
}

/** The live sessions of a person, newest first. */
export async function listUserSessions(
  db: Db,
  person: string,
  { current, now }: { current: string; now: number },
): Promise<UserSessionResource[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'browser', 'address', 'created_at', 'last_used_at'])
    .where('person', '=', person)
    .where('last_used_at', '>', new Date(now - SESSION_IDLE_MS))
    .where('created_at', '>', new Date(now - SESSION_MAX_AGE_MS))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(({ id, browser, address, created_at, last_used_at }) => ({
    id,
    current: id === current,
    browser,
    address,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at.toISOString(),
  }))
}

/** Ends one session of a person. Throws notFound. */
export async function endUserSession(db: Db, person: string, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('person', '=', person)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFoundProblem('session', id)
}

/** A password or passkey was given in a session. */
export async function recordReauthentication(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ confirmed_at: now }).where('id', '=', id).execute()
}

/** Once a person has no second factor any more, no session has one, and recovery codes stand for nothing. */
export async function syncSessionFactors(db: Db, person: string): Promise<void> {
  const { rows } = await sql`
    select from people p where id = ${person}
      and not exists (select from totp_secrets where person = p.id and sealed is not null)
      and not exists (select from passkeys where person = p.id) for update`.execute(db)
  if (rows.length === 0) return
  await db
    .updateTable('sessions')
    .set({ factor: 'none' })
    .where('person', '=', person)
    .where('factor', '!=', 'provider')
    .execute()
  await removeRecoveryCodes(db, person)
}

/** Takes all second factors of a person away, for one who has lost them. */
export async function removeSecondFactors(db: Db, person: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('totp_secrets').where('person', '=', person).execute()
    await tx.deleteFrom('passkeys').where('person', '=', person).execute()
    await syncSessionFactors(tx, person)
  })
}

/**
 * The address of a person turned out to be theirs. What was set up before was set up by whoever had the link of the
 * invitation then: second factors and identities at a provider go (decision 81); sessions have ended with the password.
 */
export async function confirmUserEmail(tx: Db, person: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('people')
    .set({ email_confirmed: true })
    .where('id', '=', person)
    .where('email_confirmed', '=', false)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  await removeSecondFactors(tx, person)
  await tx.deleteFrom('provider_identities').where('person', '=', person).execute()
}

/** Throws 401 when a session has ended meanwhile. Locks its person: what ends all sessions waits until the transaction is over. */
export async function requireLiveSession(tx: Db, person: string, session: string): Promise<void> {
  await lockUser(tx, person)
  const { rows } = await sql`select from sessions where id = ${session}`.execute(tx)
  if (rows.length === 0) throw new Problem(401, 'unauthorized', 'This session has ended. Sign in again.')
}

/** A second factor was given in a session. */
export async function recordSessionFactor(db: Db, id: string, factor: SessionFactor): Promise<void> {
  await db.updateTable('sessions').set({ factor }).where('id', '=', id).where('factor', '=', 'none').execute()
}

/** Until when what was given last counts; null when it does not any more. */
export function reauthenticatedUntil(confirmedAt: Date | null, now: number): Date | null {
  const validUntil = confirmedAt === null ? 0 : confirmedAt.getTime() + REAUTHENTICATION_TTL_MS
  return validUntil > now ? new Date(validUntil) : null
}

/** Throws 403 `confirm-again` unless a password or passkey was given in the last 10 minutes. */
export function requireReauthentication({ confirmedAt }: { confirmedAt: Date | null }, now: number): void {
  if (reauthenticatedUntil(confirmedAt, now)) return
  throw new Problem(403, 'confirm-again', 'Confirm your password or a passkey again: POST /auth/confirm.')
}
