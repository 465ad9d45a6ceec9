import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { refusing } from '../../../database/errors.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import type { MasterKeys } from '../../../lib/crypto/tokens.ts'
import { badRequest, Problem } from '../../../lib/errors/problem.ts'
import type { Site } from '../../../lib/net/site.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { lockAccountsOf } from '../members/members.ts'
import { takeInvitation, unknownInvitation } from '../members/taken-invitations.ts'
import { findPerson, lockPerson, type PersonRow, readEmail } from '../people.ts'
import type { PasskeyAnswer, SecondFactor } from '../people-schemas.ts'
import { type Factor, type Origin, startSession } from '../sessions/sessions.ts'
import { tellOf } from '../told.ts'
import { countTry, uncount } from './guessing.ts'
import { knownBrowser } from './known-browsers.ts'
import { judgePasskey } from './passkeys.ts'
import type { Passwords } from './passwords.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { digestOf, newToken } from './secrets.ts'
import { useTotp } from './totp.ts'

const ATTEMPT_MS = 5 * 60 * 1000
const MAX_FAILURES = 5

/** What signing in needs. */
export interface SignInContext {
  db: Db
  masterKeys: MasterKeys
  clock: Clock
  passwords: Passwords
  site: Site
}

/** Whose browser it is that signs in. */
export interface Visitor {
  origin: Origin
  /** The cookie of a known browser, as it was sent. */
  known: string | undefined
  /** What the request does, and its id: as the audit tells it. */
  act: { operation: string; request: string }
}

type Method = 'code' | 'recovery' | 'passkey'

/** What a sign-in came to: a session, or a token for the second factor. */
export type Outcome =
  | { state: 'done'; token: string; email: string }
  | { state: 'second-factor'; token: string; methods: Method[] }

function wrong(): Problem {
  return new Problem(401, 'sign-in-refused', 'Email or password are wrong.')
}

function over(): Problem {
  return new Problem(401, 'sign-in-over', 'This sign-in is over: begin it again.')
}

/** What is given beside the password can be taken away while it is judged. */
function stillHas({ hasTotp, hasPasskey }: PersonRow, factor: Factor): boolean {
  if (factor === 'totp') return hasTotp
  if (factor === 'passkey') return hasPasskey
  // Of the provider's own factors nothing is kept here.
  return factor === 'provider' || (hasTotp || hasPasskey) === (factor === 'recovery')
}

/**
 * Locks a person, and throws 401 where what the sign-in was judged by has changed since: it takes a tenth of a second and
 * more, in which a new password may have ended all sessions.
 */
export async function requireUnchanged(tx: Db, judged: PersonRow): Promise<PersonRow> {
  const now = await lockPerson(tx, judged.id)
  const isSame = now?.active && now.password === judged.password && now.emailConfirmed === judged.emailConfirmed
  if (!isSame) throw over()
  return now
}

interface Beginning {
  factor: Factor
  confirmed: boolean
  visitor: Visitor
  /** The attempt that this ends. */
  attempt?: string
  /** The invitation that is taken with the session. */
  invitation?: string | null
}

async function endAttempt(tx: Db, token: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_attempts')
    .where('digest', '=', digestOf(token))
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw over()
}

/** Begins a session; who signs in from a browser that was not known is told so by mail. Throws 401 as requireUnchanged does. */
export async function begin(
  { db, masterKeys, clock }: Omit<SignInContext, 'passwords' | 'site'>,
  person: PersonRow,
  { factor, confirmed, visitor, attempt, invitation = null }: Beginning,
): Promise<Outcome> {
  const { id, email, lastSignInAt } = person
  const isKnown = knownBrowser(masterKeys, visitor.known, email) !== undefined
  const token = await inTransaction(db, async (tx) => {
    if (invitation !== null) await lockAccountsOf(tx, id)
    if (!stillHas(await requireUnchanged(tx, person), factor)) throw over()
    if (attempt !== undefined) await endAttempt(tx, attempt)
    if (invitation !== null) await takeInvitation(tx, { clock }, invitation, { person, visitor })
    await tellOf(tx, { clock }, visitor, {
      ...{ person, object: { type: 'session', id: null, name: null }, changes: { '/factor': [null, factor] } },
    })
    return startSession(tx, { person: id, factor, confirmed, origin: visitor.origin }, new Date(clock.now()))
  })
  if (!isKnown && lastSignInAt !== null) await enqueue(db, 'people.place', { session: digestOf(token).toString('hex') })
  return { state: 'done', token, email }
}

/**
 * After the first factor: a session, or the wait for the second one where the person has any. `invitation`: one that is
 * taken with the session, and not before.
 */
export async function afterFirstFactor(
  context: SignInContext,
  person: PersonRow,
  { confirmed, visitor, invitation = null }: Pick<Beginning, 'confirmed' | 'visitor' | 'invitation'>,
): Promise<Outcome> {
  if (!person.hasTotp && !person.hasPasskey)
    return begin(context, person, { factor: 'none', confirmed, visitor, invitation })
  const token = newToken()
  const now = new Date(context.clock.now())
  const attempt = { digest: digestOf(token), person: person.id, created_at: now, invitation }
  await inTransaction(context.db, async (tx) => {
    await requireUnchanged(tx, person)
    await refusing(
      tx
        .insertInto('sign_in_attempts')
        .values({ ...attempt, confirmed_at: confirmed ? now : null })
        .execute(),
      { foreignKey: unknownInvitation },
    )
  })
  const methods: Method[] = [
    ...(person.hasTotp ? (['code'] as const) : []),
    ...(person.hasPasskey ? (['passkey'] as const) : []),
    'recovery',
  ]
  return { state: 'second-factor', token, methods }
}

/** Judges a password, counting wrong ones; the person whose it is. Throws 401, the same for an unknown email, and 429. */
export async function judgePassword(
  { db, masterKeys, clock, passwords }: SignInContext,
  { email, password }: { email: string; password: string },
  { origin, known }: Visitor,
): Promise<PersonRow> {
  const browser = knownBrowser(masterKeys, known, email)
  const counted = await countTry(db, masterKeys, { email, address: origin.address, browser }, clock.now())
  const person = await findPerson(db, { email })
  const isRight = await passwords.verify(password, person?.password ?? null).catch(async (error) => {
    // It was not judged.
    await uncount(db, counted)
    throw error
  })
  if (!isRight || !person?.active) throw wrong()
  await uncount(db, counted)
  return person
}

/** Signs in by email and password. */
export async function signIn(
  context: SignInContext,
  given: { email: string; password: string },
  visitor: Visitor,
): Promise<Outcome> {
  const person = await judgePassword(context, { ...given, email: readEmail(given.email) }, visitor)
  return afterFirstFactor(context, person, { confirmed: true, visitor })
}

interface Tried {
  person: PersonRow
  isLast: boolean
  confirmed: boolean
  invitation: string | null
}

/** The person of a token of `afterFirstFactor`, with a failure counted in advance. Throws 401 when it is over. */
async function tryAttempt({ db, clock }: SignInContext, token: string): Promise<Tried> {
  const { rows } = await sql<{ person: string; failures: number; confirmed: boolean; invitation: string | null }>`
    update sign_in_attempts set failures = failures + 1
    where digest = ${digestOf(token)} and failures < ${MAX_FAILURES} and created_at > ${new Date(clock.now() - ATTEMPT_MS)}
    returning person, failures, confirmed_at is not null as confirmed, invitation`.execute(db)
  const [attempt] = rows
  const person = attempt && (await findPerson(db, { id: attempt.person }))
  if (!attempt || !person?.active) throw over()
  const { failures, confirmed, invitation } = attempt
  return { person, isLast: failures === MAX_FAILURES, confirmed, invitation }
}

async function judgeFactor(
  { db, masterKeys, clock, site }: SignInContext,
  person: string,
  { code, recovery, passkey }: SecondFactor,
): Promise<Factor | undefined> {
  if (code !== undefined)
    return (await useTotp(db, masterKeys, { person, code, now: clock.now() })) ? 'totp' : undefined
  if (recovery !== undefined) return (await useRecoveryCode(db, person, recovery)) ? 'recovery' : undefined
  const owner = passkey && (await judgePasskey(db, site, passkey, clock.now()))
  return owner === person ? 'passkey' : undefined
}

/** Ends a sign-in that awaits its second factor. Throws 401: wrong, or over after 5 wrong ones; 429. */
export async function giveSecondFactor(
  context: SignInContext,
  { token, given }: { token: string; given: SecondFactor },
  visitor: Visitor,
): Promise<Outcome> {
  if ([given.code, given.recovery, given.passkey].filter((one) => one !== undefined).length !== 1)
    throw badRequest('', 'give one of code, recovery and passkey')
  const { db, masterKeys, clock } = context
  const { person, isLast, confirmed, invitation } = await tryAttempt(context, token)
  const browser = knownBrowser(masterKeys, visitor.known, person.email)
  const tried = { email: person.email, address: visitor.origin.address, browser }
  const counted = await countTry(db, masterKeys, tried, clock.now())
  const factor = await judgeFactor(context, person.id, given)
  if (factor === undefined) {
    if (isLast) await db.deleteFrom('sign_in_attempts').where('digest', '=', digestOf(token)).execute()
    throw new Problem(
      401,
      'second-factor-wrong',
      isLast ? 'Wrong too often: sign in again.' : 'That is wrong, or was used before.',
    )
  }
  await uncount(db, counted)
  const isConfirmed = confirmed || factor === 'passkey'
  return begin(context, person, { factor, confirmed: isConfirmed, visitor, attempt: token, invitation })
}

/** The person whose sign-in awaits a second factor; undefined when there is none. */
export async function attemptedBy({ db, clock }: SignInContext, token: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('sign_in_attempts')
    .select('person')
    .where('digest', '=', digestOf(token))
    .where('created_at', '>', new Date(clock.now() - ATTEMPT_MS))
    .executeTakeFirst()
  return row?.person
}

/** Signs in by a passkey, which is both factors. Throws 401 and 429. */
export async function signInByPasskey(
  context: SignInContext,
  passkey: PasskeyAnswer,
  visitor: Visitor,
): Promise<Outcome> {
  const { db, masterKeys, clock, site } = context
  // Whose it should be is not known: only the address counts.
  const tried = { email: `passkey ${passkey.id}`, address: visitor.origin.address }
  const counted = await countTry(db, masterKeys, tried, clock.now())
  const id = await judgePasskey(db, site, passkey, clock.now())
  const person = id === undefined ? undefined : await findPerson(db, { id })
  if (!person?.active)
    throw new Problem(401, 'sign-in-refused', 'This passkey is not known here, or its answer came too late.')
  await uncount(db, counted)
  return begin(context, person, { factor: 'passkey', confirmed: true, visitor })
}

/** Judges the password or passkey of who is signed in already. Throws 400, 401 and 429. */
export async function judgeAgain(
  context: SignInContext,
  { id, email }: { id: string; email: string },
  { password, passkey }: { password?: string; passkey?: PasskeyAnswer },
  visitor: Visitor,
): Promise<void> {
  if ((password === undefined) === (passkey === undefined)) throw badRequest('', 'give either password or passkey')
  if (password !== undefined) return void (await judgePassword(context, { email, password }, visitor))
  const { db, masterKeys, clock, site } = context
  const browser = knownBrowser(masterKeys, visitor.known, email)
  const counted = await countTry(db, masterKeys, { email, address: visitor.origin.address, browser }, clock.now())
  if (!passkey || (await judgePasskey(db, site, passkey, clock.now())) !== id)
    throw new Problem(401, 'sign-in-refused', 'This passkey is not yours, or its answer came too late.')
  await uncount(db, counted)
}

/** Deletes sign-ins that were not ended. */
export async function forgetAttempts(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('sign_in_attempts')
    .where('created_at', '<', new Date(now - ATTEMPT_MS))
    .execute()
}
