import { sql } from 'kysely'
import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import type { Db } from '../../../database/connection/connect.ts'
import { sealWithMasterKey, unsealWithMasterKey } from '../../../lib/crypto/seal.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { OidcConfig } from '../../../lib/net/oidc-settings.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { toMailAddressKey } from '../../../lib/text/mail-address.ts'
import { digestSecretToken, generateSecretToken } from './secrets.ts'
import type { SignInContext } from './sign-in.ts'

const STATE_MS = 10 * 60 * 1000
const CALLBACK = '/auth/oidc/callback'
const CONTEXT = 'sign-in at a provider'
/** Seconds that the provider has for an answer. */
const TIMEOUT_S = 10

/** Seconds by which the clocks of the provider and of this machine may differ. */
const CLOCKS_DIFFER_S = 600
/** Codes of errors of the library: the provider names itself otherwise, and a token is not valid now. */
const [WRONG_ISSUER, WRONG_TIME] = ['OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED']

function isOf(error: unknown, code: string | undefined): boolean {
  return error instanceof Error && (('code' in error && error.code === code) || isOf(error.cause, code))
}

/** Loaded with the first sign-in at a provider. */
const library = () => import('openid-client')

/** Who came back from the provider. */
export interface ProviderIdentity {
  issuer: string
  subject: string
  email: string | undefined
  /** The provider has verified that the address belongs to the person; undefined when it reports nothing. */
  emailVerified: boolean | undefined
  name: string | undefined
  /** The claim that roles go by. */
  roles: unknown
  /** The provider asked for a second factor, or for a key. */
  strong: boolean
}

/** What is kept of a sign-in while it is at the provider. */
interface Begun {
  nonce: string
  verifier: string
  to: string
}

/** The provider as the service knows it: found once, when it is first needed. */
export interface IdentityProvider {
  /** Where the browser goes. `browser`: the value of its cookie. */
  begin(browser: string, to: string): Promise<URL>
  /** Who came back, and where the browser goes on. Throws 403. */
  end(browser: string | undefined, query: string): Promise<{ identity: ProviderIdentity; to: string }>
}

function refused(cause?: unknown, detail = 'The sign-in at the provider did not succeed: begin it again.'): Problem {
  return new Problem(403, 'provider-refused', detail, { cause })
}

/** The other form of an issuer: with a slash at its end, or without. */
const otherForm = (issuer: string): string => (issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`)

/** The configuration of the provider (OpenID Connect Discovery), read once; after a failure again. */
function discovered({ issuer, clientId, clientSecret }: OidcConfig): () => Promise<Configuration> {
  let known: Promise<Configuration> | undefined
  const find = async () => {
    const { allowInsecureRequests, ClientSecretPost, clockTolerance, discovery, None } = await library()
    const secret = clientSecret === undefined ? None() : ClientSecretPost(clientSecret)
    // Settings allow plain http for this machine alone.
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : []
    const metadata = { [clockTolerance]: CLOCKS_DIFFER_S }
    const findAt = (address: string) =>
      discovery(new URL(address), clientId, metadata, secret, { timeout: TIMEOUT_S, execute })
    return findAt(issuer).catch((error) =>
      isOf(error, WRONG_ISSUER) ? findAt(otherForm(issuer)) : Promise.reject(error),
    )
  }
  return () => {
    known ??= find().catch((cause) => {
      known = undefined
      throw new Problem(503, 'provider-unavailable', 'The provider of sign-ins does not answer; try again.', { cause })
    })
    return known
  }
}

/** Takes the state of a sign-in: once, in time, and for the browser that began it. */
async function takeState(
  { db, masterKeys, clock }: SignInContext,
  state: string,
  browser: string,
): Promise<Begun | undefined> {
  const { rows } = await sql<{ sealed: Buffer }>`
    delete from provider_states
    where digest = ${digestSecretToken(state)} and browser = ${digestSecretToken(browser)} and created_at > ${new Date(clock.now() - STATE_MS)}
    returning sealed`.execute(db)
  return rows[0] && JSON.parse(unsealWithMasterKey(masterKeys, rows[0].sealed, CONTEXT).toString())
}

/** All that the provider says: the ID token, and where that is silent the UserInfo endpoint. */
async function claimsOf(
  found: Configuration,
  { claim }: OidcConfig,
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
): Promise<Record<string, unknown>> {
  const own: Record<string, unknown> = { ...tokens.claims() }
  const isWhole = own['email'] !== undefined && claimAt(own, claim) !== undefined && isVerified(own) !== undefined
  if (isWhole || found.serverMetadata().userinfo_endpoint === undefined) return own
  const { fetchUserInfo } = await library()
  return { ...(await fetchUserInfo(found, tokens.access_token, String(own['sub']))), ...own }
}

/** A claim by its name, else by its path: `realm_access.roles`. */
function claimAt(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((value, part) => (isJsonObject(value) ? value[part] : undefined), claims)
}

/** Reads whether the address is verified, from the standard claim and those of Microsoft Entra; undefined when they report nothing. */
function isVerified(claims: Record<string, unknown>): boolean | undefined {
  for (const claim of [claims['email_verified'], claims['xms_edov']]) {
    if ([true, 'true', 1, '1'].includes(claim as string)) return true
    if ([false, 'false', 0, '0'].includes(claim as string)) return false
  }
  const email = toMailAddressKey(String(claims['email']))
  const verifiedAddresses = [claims['verified_primary_email']]
    .flat()
    .map((address) => toMailAddressKey(String(address)))
  return verifiedAddresses.includes(email) ? true : undefined
}

/** Microsoft Entra leaves out the groups of a person who has more than 200, and says where to ask for them. Throws 403. */
function refuseLeftOut(claims: Record<string, unknown>, { claim, roles }: OidcConfig): void {
  const elsewhere = claims['_claim_names']
  if (!roles || claimAt(claims, claim) !== undefined || !isJsonObject(elsewhere) || elsewhere[claim] === undefined)
    return
  throw refused(
    undefined,
    `The provider left out "${claim}", as you have too many: whoever runs it lets it send app roles, or the groups of this application alone.`,
  )
}

function identityOf(claims: Record<string, unknown>, settings: OidcConfig): ProviderIdentity {
  refuseLeftOut(claims, settings)
  const textOf = (name: string) => (typeof claims[name] === 'string' && claims[name] !== '' ? claims[name] : undefined)
  const amr = [claims['amr']].flat()
  return {
    issuer: String(claims['iss']),
    subject: String(claims['sub']),
    email: textOf('email'),
    emailVerified: isVerified(claims),
    name: textOf('name') ?? textOf('preferred_username'),
    roles: claimAt(claims, settings.claim),
    strong: amr.includes('mfa') || amr.includes('hwk'),
  }
}

/** Sign-in by OpenID Connect: code flow with PKCE, state and nonce. */
export function createIdentityProvider(context: SignInContext, settings: OidcConfig): IdentityProvider {
  const { db, masterKeys, clock, site } = context
  const find = discovered(settings)
  return {
    async begin(browser, to) {
      const found = await find()
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier } = await library()
      const [state, nonce, verifier] = [generateSecretToken(), randomNonce(), randomPKCECodeVerifier()]
      const begun: Begun = { nonce, verifier, to }
      await db
        .insertInto('provider_states')
        .values({
          ...{
            digest: digestSecretToken(state),
            browser: digestSecretToken(browser),
            created_at: new Date(clock.now()),
          },
          sealed: sealWithMasterKey(masterKeys, JSON.stringify(begun), CONTEXT),
        })
        .execute()
      return buildAuthorizationUrl(found, {
        ...{ scope: settings.scopes, state, nonce, redirect_uri: `${site.origin}${CALLBACK}` },
        ...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      })
    },
    async end(browser, query) {
      const found = await find()
      const state = new URLSearchParams(query).get('state') ?? ''
      const begun = browser === undefined ? undefined : await takeState(context, state, browser)
      if (!begun) throw refused()
      const { authorizationCodeGrant } = await library()
      const url = new URL(`${site.origin}${CALLBACK}?${query}`)
      const checks = {
        expectedState: state,
        expectedNonce: begun.nonce,
        pkceCodeVerifier: begun.verifier,
        idTokenExpected: true,
      }
      try {
        const claims = await claimsOf(found, settings, await authorizationCodeGrant(found, url, checks))
        return { identity: identityOf(claims, settings), to: begun.to }
      } catch (error) {
        if (error instanceof Problem) throw error
        // What the library throws may hold tokens.
        const cause = error instanceof Error ? new Error(error.name) : undefined
        const clocks = 'The clocks of the provider and of this service differ by more than ten minutes: set them.'
        throw isOf(error, WRONG_TIME) ? refused(cause, clocks) : refused(cause)
      }
    },
  }
}

/** Deletes sign-ins that did not come back. */
export async function purgeProviderStates(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('provider_states')
    .where('created_at', '<', new Date(now - STATE_MS))
    .execute()
}
