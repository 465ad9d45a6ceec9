import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../../database/errors.ts'
import { badRequestProblem, conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseUuid } from '../../../lib/ids.ts'
import type { PublicSite } from '../../../lib/net/site.ts'
import type { PasskeyResource, PasskeyResponseBody } from '../people-schemas.ts'
import { requireLiveSession } from '../sessions/sessions.ts'

const CHALLENGE_MS = 5 * 60 * 1000
const MAX_PASSKEYS = 20
const NAME = 'Stentor'
/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812): what authenticators have. */
const ALGORITHMS = [-8, -7, -257]

/** Loaded with the first passkey: it brings a reader of certificates along. */
const library = () => import('@simplewebauthn/server')

/** The relying party: the host of the public address. Throws conflict where it is an IP address, which none can be. */
function partyOf({ hostname }: PublicSite): string {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return hostname
  throw conflictProblem(
    'passkeys-need-a-name',
    'Passkeys need a public address with a name: STENTOR_PUBLIC_URL has an IP address.',
  )
}

async function keepChallenge(db: Db, challenge: string, person: string | null, now: number): Promise<void> {
  await db
    .insertInto('passkey_challenges')
    .values({ challenge, person, expires_at: new Date(now + CHALLENGE_MS) })
    .execute()
}

/** Whether a challenge was given, to this person (a registration) or to whoever signs in; it is void afterwards. */
async function takeChallenge(db: Db, challenge: string, person: string | null, now: number): Promise<boolean> {
  const { rows } = await sql<{ person: string | null; expires: Date }>`
    delete from passkey_challenges where challenge = ${challenge} returning person, expires_at as expires`.execute(db)
  const [row] = rows
  return row !== undefined && row.person === person && row.expires.getTime() > now
}

async function credentialsOf(db: Db, person: string): Promise<{ id: string; transports: string[] }[]> {
  return db.selectFrom('passkeys').select(['credential as id', 'transports']).where('person', '=', person).execute()
}

/** Options for a sign-in, a second factor or a confirmation: with any passkey, or with those of a person. */
export async function createPasskeyOptions(
  db: Db,
  site: PublicSite,
  person: string | undefined,
  now: number,
): Promise<object> {
  const options = await (await library()).generateAuthenticationOptions({
    rpID: partyOf(site),
    userVerification: 'required',
    timeout: CHALLENGE_MS,
    ...(person !== undefined && { allowCredentials: await credentialsOf(db, person) }),
  })
  await keepChallenge(db, options.challenge, null, now)
  return options
}

/** Options for a new passkey of a person. */
export async function createNewPasskeyOptions(
  db: Db,
  site: PublicSite,
  { id, email, name }: { id: string; email: string; name: string },
  now: number,
): Promise<object> {
  const options = await (await library()).generateRegistrationOptions({
    ...{ rpName: NAME, rpID: partyOf(site), timeout: CHALLENGE_MS },
    ...{ userName: email, userDisplayName: name, userID: Uint8Array.from(Buffer.from(id.replaceAll('-', ''), 'hex')) },
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: await credentialsOf(db, id),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(db, options.challenge, id, now)
  return options
}

interface Registration {
  person: string
  answer: PasskeyResponseBody
}

/** What the authenticator says of a new passkey; undefined where it is not what was asked for. */
async function readRegistration(db: Db, site: PublicSite, { person, answer }: Registration, now: number) {
  try {
    const { registrationInfo } = await (await library()).verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => takeChallenge(db, challenge, person, now),
      supportedAlgorithmIDs: ALGORITHMS,
      ...{ expectedOrigin: site.origin, expectedRPID: partyOf(site), requireUserVerification: true },
    })
    return registrationInfo?.credential
  } catch {
    // The library throws for whatever is wrong with it.
    return undefined
  }
}

/** Adds a passkey in a session. Throws 400 for an answer that is not right, 401, conflict for one that is known, or for too many. */
export async function addPasskey(
  db: Db,
  site: PublicSite,
  { person, session, name, answer }: { person: string; session: string; name: string; answer: PasskeyResponseBody },
  now: number,
): Promise<PasskeyResource> {
  const credential = await readRegistration(db, site, { person, answer }, now)
  if (!credential) throw badRequestProblem('/passkey', 'is not an answer to the options given; ask for new ones')
  const id = randomUUID()
  const created_at = new Date(now)
  await inTransaction(db, async (tx) => {
    await requireLiveSession(tx, person, session)
    const known = await credentialsOf(tx, person)
    if (known.length >= MAX_PASSKEYS)
      throw conflictProblem('too-many-passkeys', `A person has ${MAX_PASSKEYS} passkeys at most: delete one.`)
    await mapConstraintErrors(
      tx
        .insertInto('passkeys')
        .values({
          ...{ id, person, name, created_at, credential: credential.id, public_key: Buffer.from(credential.publicKey) },
          ...{ counter: credential.counter, transports: credential.transports ?? [] },
        })
        .execute(),
      { unique: () => conflictProblem('passkey-known', 'This passkey is there already.') },
    )
  })
  return { id, name, createdAt: created_at.toISOString(), lastUsedAt: null }
}

/** The person whose passkey answered a challenge of ours, verified by PIN or body; undefined where none did. */
export async function verifyPasskey(
  db: Db,
  site: PublicSite,
  answer: PasskeyResponseBody,
  now: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('passkeys')
    .select(['id', 'person', 'credential', 'public_key', 'counter'])
    .where('credential', '=', answer.id)
    .executeTakeFirst()
  if (!row) return undefined
  try {
    const { verified, authenticationInfo } = await (await library()).verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => takeChallenge(db, challenge, null, now),
      ...{ expectedOrigin: site.origin, expectedRPID: partyOf(site), requireUserVerification: true },
      credential: { id: row.credential, publicKey: Uint8Array.from(row.public_key), counter: row.counter },
    })
    if (!verified) return undefined
    await db
      .updateTable('passkeys')
      .set({ counter: authenticationInfo.newCounter, last_used_at: new Date(now) })
      .where('id', '=', row.id)
      .execute()
    return row.person
  } catch {
    return undefined
  }
}

/** The passkeys of a person, oldest first. */
export async function listPasskeys(db: Db, person: string): Promise<PasskeyResource[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('person', '=', person)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id, name, created_at, last_used_at }) => ({
    ...{ id, name, createdAt: created_at.toISOString() },
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }))
}

/** Deletes one. Throws notFound. */
export async function removePasskey(db: Db, person: string, text: string): Promise<void> {
  const id = parseUuid(text)
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('id', '=', id ?? null)
    .where('person', '=', person)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFoundProblem('passkey', text)
}

/** Deletes challenges that nobody answered. */
export async function purgePasskeyChallenges(db: Db, now: number): Promise<void> {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<', new Date(now)).execute()
}
