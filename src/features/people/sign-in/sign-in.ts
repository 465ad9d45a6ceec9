import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../../database/errors.ts'
import { enqueueTask } from '../../../jobs/enqueue.ts'
import type { MasterKeys } from '../../../lib/crypto/tokens.ts'
import { badRequestProblem, Problem } from '../../../lib/errors/problem.ts'
import type { PublicSite } from '../../../lib/net/site.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { lockUserAccounts } from '../members/members.ts'
import { redeemInvitation, unknownInvitationProblem } from '../members/taken-invitations.ts'
import { findUser, lockUser, parseUserEmail, type UserRow } from '../people.ts'
import type { PasskeyResponseBody, SecondFactorBody } from '../people-schemas.ts'
import { createUserSession, type SessionFactor, type SessionOrigin } from '../sessions/sessions.ts'
import { recordUserAudit } from '../told.ts'
import { countSignInTry, uncountSignInTry } from './guessing.ts'
import { findKnownBrowser } from './known-browsers.ts'
import { verifyPasskey } from './passkeys.ts'
import type { PasswordHasher } from './passwords.ts'
import { redeemRecoveryCode } from './recovery-codes.ts'
import { digestSecretToken, generateSecretToken } from './secrets.ts'
import { redeemTotpCode } from './totp.ts'

export const SIGN_IN_ATTEMPT_TTL_MS = 5 * 60 * 1000
const MAX_FAILURES = 5

/** Dependencies of sign-in. */
export interface SignInContext {
  db: Db
  masterKeys: MasterKeys
  clock: Clock
  passwords: PasswordHasher
  site: PublicSite
}

/** The browser that signs in. */
export interface SignInBrowser {
  origin: SessionOrigin
  /** The cookie of a known browser, as it was sent. */
  known: string | undefined
  /** The operation and id of the request, as recorded in the audit. */
  act: { operation: string; request: string }
}

type SecondFactorMethod = 'code' | 'recovery' | 'passkey'

/** Outcome of a sign-in: a session, or a token for the second factor. */
export type SignInOutcome =
  | { state: 'done'; token: string; email: string }
  | { state: 'second-factor'; token: string; methods: SecondFactorMethod[] }

function signInRefusedProblem(): Problem {
  return new Problem(401, 'sign-in-refused', 'The email or the password is wrong.')
}

function signInExpiredProblem(): Problem {
  return new Problem(401, 'sign-in-over', 'This sign-in has expired. Start again.')
}

/** The second factor can be removed while it is verified. */
function hasFactor({ hasTotp, hasPasskey }: UserRow, factor: SessionFactor): boolean {
  if (factor === 'totp') return hasTotp
  if (factor === 'passkey') return hasPasskey
  // Of the provider's own factors nothing is kept here.
  return factor === 'provider' || (hasTotp || hasPasskey) === (factor === 'recovery')
}

/**
 * Locks a person, and throws 401 where what the sign-in was judged by has changed since: it takes a tenth of a second and
 * more, in which a new password may have ended all sessions.
 */
export async function requireUnchangedUser(tx: Db, verifiedUser: UserRow): Promise<UserRow> {
  const now = await lockUser(tx, verifiedUser.id)
  const isSame =
    now?.active && now.password === verifiedUser.password && now.emailConfirmed === verifiedUser.emailConfirmed
  if (!isSame) throw signInExpiredProblem()
  return now
}

interface SessionStart {
  factor: SessionFactor
  confirmed: boolean
  visitor: SignInBrowser
  /** The attempt that this ends. */
  attempt?: string
  /** The invitation that is taken with the session. */
  invitation?: string | null
}

async function endAttempt(tx: Db, token: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_attempts')
    .where('digest', '=', digestSecretToken(token))
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw signInExpiredProblem()
}

/** Begins a session. A sign-in from an unknown browser is reported to the user by mail. Throws 401 as requireUnchangedUser does. */
export async function beginSignInSession(
  { db, masterKeys, clock }: Omit<SignInContext, 'passwords' | 'site'>,
  person: UserRow,
  { factor, confirmed, visitor, attempt, invitation = null }: SessionStart,
): Promise<SignInOutcome> {
  const { id, email, lastSignInAt } = person
  const isKnown = findKnownBrowser(masterKeys, visitor.known, email) !== undefined
  const token = await inTransaction(db, async (tx) => {
    if (invitation !== null) await lockUserAccounts(tx, id)
    if (!hasFactor(await requireUnchangedUser(tx, person), factor)) throw signInExpiredProblem()
    if (attempt !== undefined) await endAttempt(tx, attempt)
    if (invitation !== null) await redeemInvitation(tx, { clock }, invitation, { person, visitor })
    await recordUserAudit(tx, { clock }, visitor, {
      person,
      object: { type: 'session', id: null, name: null },
      changes: { '/factor': [null, factor] },
    })
    return createUserSession(tx, { person: id, factor, confirmed, origin: visitor.origin }, new Date(clock.now()))
  })
  if (!isKnown && lastSignInAt !== null)
    await enqueueTask(db, 'people.place', { session: digestSecretToken(token).toString('hex') })
  return { state: 'done', token, email }
}

/**
 * After the first factor: a session, or the wait for the second one where the person has any. `invitation`: one that is
 * taken with the session, and not before.
 */
export async function completeFirstFactor(
  context: SignInContext,
  person: UserRow,
  { confirmed, visitor, invitation = null }: Pick<SessionStart, 'confirmed' | 'visitor' | 'invitation'>,
): Promise<SignInOutcome> {
  if (!person.hasTotp && !person.hasPasskey)
    return beginSignInSession(context, person, { factor: 'none', confirmed, visitor, invitation })
  const token = generateSecretToken()
  const now = new Date(context.clock.now())
  const attempt = { digest: digestSecretToken(token), person: person.id, created_at: now, invitation }
  await inTransaction(context.db, async (tx) => {
    await requireUnchangedUser(tx, person)
    await mapConstraintErrors(
      tx
        .insertInto('sign_in_attempts')
        .values({ ...attempt, confirmed_at: confirmed ? now : null })
        .execute(),
      { foreignKey: unknownInvitationProblem },
    )
  })
  const methods: SecondFactorMethod[] = [
    ...(person.hasTotp ? (['code'] as const) : []),
    ...(person.hasPasskey ? (['passkey'] as const) : []),
    'recovery',
  ]
  return { state: 'second-factor', token, methods }
}

/** Judges a password, counting wrong ones; the person whose it is. Throws 401, the same for an unknown email, and 429. */
export async function verifyUserPassword(
  { db, masterKeys, clock, passwords }: SignInContext,
  { email, password }: { email: string; password: string },
  { origin, known: knownCookie }: SignInBrowser,
): Promise<UserRow> {
  const browser = findKnownBrowser(masterKeys, knownCookie, email)
  const tryCount = await countSignInTry(db, masterKeys, { email, address: origin.address, browser }, clock.now())
  const person = await findUser(db, { email })
  const isRight = await passwords.verify(password, person?.password ?? null).catch(async (error) => {
    // It was not judged.
    await uncountSignInTry(db, tryCount)
    throw error
  })
  if (!isRight || !person?.active) throw signInRefusedProblem()
  await uncountSignInTry(db, tryCount)
  return person
}

/** Signs in by email and password. */
export async function signInByPassword(
  context: SignInContext,
  credentials: { email: string; password: string },
  visitor: SignInBrowser,
): Promise<SignInOutcome> {
  const person = await verifyUserPassword(
    context,
    { ...credentials, email: parseUserEmail(credentials.email) },
    visitor,
  )
  return completeFirstFactor(context, person, { confirmed: true, visitor })
}

interface AttemptState {
  person: UserRow
  isLast: boolean
  confirmed: boolean
  invitation: string | null
}

/** The person of a token of `completeFirstFactor`, with a failure counted in advance. Throws 401 when it is over. */
async function tryAttempt({ db, clock }: SignInContext, token: string): Promise<AttemptState> {
  const { rows } = await sql<{ person: string; failures: number; confirmed: boolean; invitation: string | null }>`
    update sign_in_attempts set failures = failures + 1
    where digest = ${digestSecretToken(token)} and failures < ${MAX_FAILURES} and created_at > ${new Date(clock.now() - SIGN_IN_ATTEMPT_TTL_MS)}
    returning person, failures, confirmed_at is not null as confirmed, invitation`.execute(db)
  const [attempt] = rows
  const person = attempt && (await findUser(db, { id: attempt.person }))
  if (!attempt || !person?.active) throw signInExpiredProblem()
  const { failures, confirmed, invitation } = attempt
  return { person, isLast: failures === MAX_FAILURES, confirmed, invitation }
}

async function verifyFactor(
  { db, masterKeys, clock, site }: SignInContext,
  person: string,
  { code, recovery, passkey }: SecondFactorBody,
): Promise<SessionFactor | undefined> {
  if (code !== undefined)
    return (await redeemTotpCode(db, masterKeys, { person, code, now: clock.now() })) ? 'totp' : undefined
  if (recovery !== undefined) return (await redeemRecoveryCode(db, person, recovery)) ? 'recovery' : undefined
  const owner = passkey && (await verifyPasskey(db, site, passkey, clock.now()))
  return owner === person ? 'passkey' : undefined
}

/** Ends a sign-in that awaits its second factor. Throws 401: wrong, or over after 5 wrong ones; 429. */
export async function completeSecondFactor(
  context: SignInContext,
  { token, given: factorInput }: { token: string; given: SecondFactorBody },
  visitor: SignInBrowser,
): Promise<SignInOutcome> {
  if (
    [factorInput.code, factorInput.recovery, factorInput.passkey].filter((presentFactor) => presentFactor !== undefined)
      .length !== 1
  )
    throw badRequestProblem('', 'exactly one of code, recovery and passkey is required')
  const { db, masterKeys, clock } = context
  const { person, isLast, confirmed, invitation } = await tryAttempt(context, token)
  const browser = findKnownBrowser(masterKeys, visitor.known, person.email)
  const signInTry = { email: person.email, address: visitor.origin.address, browser }
  const tryCount = await countSignInTry(db, masterKeys, signInTry, clock.now())
  const factor = await verifyFactor(context, person.id, factorInput)
  if (factor === undefined) {
    if (isLast) await db.deleteFrom('sign_in_attempts').where('digest', '=', digestSecretToken(token)).execute()
    throw new Problem(
      401,
      'second-factor-wrong',
      isLast ? 'Too many failed attempts. Sign in again.' : 'The second factor is wrong or was already used.',
    )
  }
  await uncountSignInTry(db, tryCount)
  const isConfirmed = confirmed || factor === 'passkey'
  return beginSignInSession(context, person, { factor, confirmed: isConfirmed, visitor, attempt: token, invitation })
}

/** Finds the person whose sign-in awaits a second factor. `undefined` if there is none. */
export async function findSignInAttemptUser({ db, clock }: SignInContext, token: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('sign_in_attempts')
    .select('person')
    .where('digest', '=', digestSecretToken(token))
    .where('created_at', '>', new Date(clock.now() - SIGN_IN_ATTEMPT_TTL_MS))
    .executeTakeFirst()
  return row?.person
}

/** Signs in by a passkey, which is both factors. Throws 401 and 429. */
export async function signInByPasskey(
  context: SignInContext,
  passkey: PasskeyResponseBody,
  visitor: SignInBrowser,
): Promise<SignInOutcome> {
  const { db, masterKeys, clock, site } = context
  // Whose it should be is not known: only the address counts.
  const signInTry = { email: `passkey ${passkey.id}`, address: visitor.origin.address }
  const tryCount = await countSignInTry(db, masterKeys, signInTry, clock.now())
  const id = await verifyPasskey(db, site, passkey, clock.now())
  const person = id === undefined ? undefined : await findUser(db, { id })
  if (!person?.active)
    throw new Problem(401, 'sign-in-refused', 'This passkey is unknown, or its response arrived too late.')
  await uncountSignInTry(db, tryCount)
  return beginSignInSession(context, person, { factor: 'passkey', confirmed: true, visitor })
}

/** Judges the password or passkey of who is signed in already. Throws 400, 401 and 429. */
export async function reauthenticateUser(
  context: SignInContext,
  { id, email }: { id: string; email: string },
  { password, passkey }: { password?: string; passkey?: PasskeyResponseBody },
  visitor: SignInBrowser,
): Promise<void> {
  if ((password === undefined) === (passkey === undefined))
    throw badRequestProblem('', 'exactly one of password and passkey is required')
  if (password !== undefined) return void (await verifyUserPassword(context, { email, password }, visitor))
  const { db, masterKeys, clock, site } = context
  const browser = findKnownBrowser(masterKeys, visitor.known, email)
  const tryCount = await countSignInTry(
    db,
    masterKeys,
    { email, address: visitor.origin.address, browser },
    clock.now(),
  )
  if (!passkey || (await verifyPasskey(db, site, passkey, clock.now())) !== id)
    throw new Problem(401, 'sign-in-refused', 'This passkey is not yours, or its response arrived too late.')
  await uncountSignInTry(db, tryCount)
}
