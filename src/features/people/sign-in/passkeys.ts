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

const CHALLENGE_TTL_MS = 5 * 60 * 1000
const MAX_PASSKEYS = 20
const RELYING_PARTY_NAME = 'Stentor'
/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812): what authenticators have. */
const SIGNATURE_ALGORITHMS = [-8, -7, -257]

/** Loaded with the first passkey: it brings a reader of certificates along. */
const loadWebAuthn = () => import('@simplewebauthn/server')

/** The relying party: the host of the public address. Throws conflict where it is an IP address, which none can be. */
function resolveRelyingParty({ hostname }: PublicSite): string {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return hostname
  throw conflictProblem(
    'passkeys-need-a-name',
    'Passkeys require a public address with a host name, but STENTOR_PUBLIC_URL has an IP address.',
  )
}

async function storeChallenge(db: Db, challenge: string, person: string | null, now: number): Promise<void> {
  await db
    .insertInto('passkey_challenges')
    .values({ challenge, person, expires_at: new Date(now + CHALLENGE_TTL_MS) })
    .execute()
}

/** True if the challenge was issued to this person (a registration) or to anyone who signs in. It is void afterwards. */
async function redeemChallenge(db: Db, challenge: string, person: string | null, now: number): Promise<boolean> {
  const { rows } = await sql<{ person: string | null; expires: Date }>`
    delete from passkey_challenges where challenge = ${challenge} returning person, expires_at as expires`.execute(db)
  const [row] = rows
  return row !== undefined && row.person === person && row.expires.getTime() > now
}

async function listCredentials(db: Db, person: string): Promise<{ id: string; transports: string[] }[]> {
  return db.selectFrom('passkeys').select(['credential as id', 'transports']).where('person', '=', person).execute()
}

/** Options for a sign-in, a second factor or a confirmation: with any passkey, or with those of a person. */
export async function createPasskeyOptions(
  db: Db,
  site: PublicSite,
  person: string | undefined,
  now: number,
): Promise<object> {
  const options = await (await loadWebAuthn()).generateAuthenticationOptions({
    rpID: resolveRelyingParty(site),
    userVerification: 'required',
    timeout: CHALLENGE_TTL_MS,
    ...(person !== undefined && { allowCredentials: await listCredentials(db, person) }),
  })
  await storeChallenge(db, options.challenge, null, now)
  return options
}

/** Options for a new passkey of a person. */
export async function createNewPasskeyOptions(
  db: Db,
  site: PublicSite,
  { id, email, name }: { id: string; email: string; name: string },
  now: number,
): Promise<object> {
  const options = await (await loadWebAuthn()).generateRegistrationOptions({
    rpName: RELYING_PARTY_NAME,
    rpID: resolveRelyingParty(site),
    timeout: CHALLENGE_TTL_MS,
    userName: email,
    userDisplayName: name,
    userID: Uint8Array.from(Buffer.from(id.replaceAll('-', ''), 'hex')),
    attestationType: 'none',
    supportedAlgorithmIDs: SIGNATURE_ALGORITHMS,
    excludeCredentials: await listCredentials(db, id),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await storeChallenge(db, options.challenge, id, now)
  return options
}

interface PasskeyRegistration {
  person: string
  answer: PasskeyResponseBody
}

/** Verifies the authenticator's response for a new passkey. `undefined` if it does not match the challenge. */
async function verifyRegistration(db: Db, site: PublicSite, { person, answer }: PasskeyRegistration, now: number) {
  try {
    const { registrationInfo } = await (await loadWebAuthn()).verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => redeemChallenge(db, challenge, person, now),
      supportedAlgorithmIDs: SIGNATURE_ALGORITHMS,
      expectedOrigin: site.origin,
      expectedRPID: resolveRelyingParty(site),
      requireUserVerification: true,
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
  const credential = await verifyRegistration(db, site, { person, answer }, now)
  if (!credential) throw badRequestProblem('/passkey', 'does not match the issued options; request new ones')
  const id = randomUUID()
  const created_at = new Date(now)
  await inTransaction(db, async (tx) => {
    await requireLiveSession(tx, person, session)
    const existingCredentials = await listCredentials(tx, person)
    if (existingCredentials.length >= MAX_PASSKEYS)
      throw conflictProblem('too-many-passkeys', `A user can have at most ${MAX_PASSKEYS} passkeys. Delete one first.`)
    await mapConstraintErrors(
      tx
        .insertInto('passkeys')
        .values({
          id,
          person,
          name,
          created_at,
          credential: credential.id,
          public_key: Buffer.from(credential.publicKey),
          counter: credential.counter,
          transports: credential.transports ?? [],
        })
        .execute(),
      { unique: () => conflictProblem('passkey-known', 'This passkey is already registered.') },
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
    const { verified: isVerified, authenticationInfo } = await (await loadWebAuthn()).verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => redeemChallenge(db, challenge, null, now),
      expectedOrigin: site.origin,
      expectedRPID: resolveRelyingParty(site),
      requireUserVerification: true,
      credential: { id: row.credential, publicKey: Uint8Array.from(row.public_key), counter: row.counter },
    })
    if (!isVerified) return undefined
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
    id,
    name,
    createdAt: created_at.toISOString(),
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
