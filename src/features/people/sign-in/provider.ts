import { sql } from 'kysely'
import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import { loadOnce } from '../../../lib/concurrency/load-once.ts'
import { sealWithMasterKey, unsealWithMasterKey } from '../../../lib/crypto/seal.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { OidcConfig } from '../../../lib/net/oidc-settings.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { toMailAddressKey } from '../../../lib/text/mail-address.ts'
import { digestSecretToken, generateSecretToken } from './secrets.ts'
import type { SignInContext } from './sign-in.ts'

export const PROVIDER_STATE_TTL_MS = 10 * 60 * 1000
const CALLBACK_PATH = '/auth/oidc/callback'
const SEAL_CONTEXT = 'sign-in at a provider'
/** Seconds that the provider has for an answer. */
const TIMEOUT_SECONDS = 10

/** Seconds by which the clocks of the provider and of this machine may differ. */
const CLOCK_TOLERANCE_SECONDS = 600
/** Codes of errors of the library: the provider names itself otherwise, and a token is not valid now. */
const [WRONG_ISSUER, WRONG_TIME] = ['OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED']

function hasErrorCode(error: unknown, code: string | undefined): boolean {
  return error instanceof Error && (('code' in error && error.code === code) || hasErrorCode(error.cause, code))
}

/** Loaded with the first sign-in at a provider. */
const loadOpenIdClient = () => import('openid-client')

/** The identity returned by the provider. */
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

/** State of a sign-in while the user is at the provider. */
interface PendingSignIn {
  nonce: string
  verifier: string
  to: string
}

/** The provider as the service knows it: found once, when it is first needed. */
export interface IdentityProvider {
  /** Returns the address to redirect the browser to. `browser`: the value of its cookie. */
  begin(browser: string, to: string): Promise<URL>
  /** Returns the identity, and the page to redirect the browser to. Throws 403. */
  end(browser: string | undefined, query: string): Promise<{ identity: ProviderIdentity; to: string }>
}

function providerRefusedProblem(cause?: unknown, detail = 'The sign-in at the provider failed. Start again.'): Problem {
  return new Problem(403, 'provider-refused', detail, { cause })
}

/** The other form of an issuer: with a slash at its end, or without. */
const toggleTrailingSlash = (issuer: string): string => (issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`)

/** The configuration of the provider (OpenID Connect Discovery), read once; after a failure again. */
function createDiscovery({ issuer, clientId, clientSecret }: OidcConfig): () => Promise<Configuration> {
  const findConfiguration = async () => {
    const {
      allowInsecureRequests,
      ClientSecretPost,
      clockTolerance,
      discovery,
      None: noClientAuth,
    } = await loadOpenIdClient()
    const secret = clientSecret === undefined ? noClientAuth() : ClientSecretPost(clientSecret)
    // Settings allow plain http for this machine alone.
    const discoveryOptions = issuer.startsWith('http:') ? [allowInsecureRequests] : []
    const metadata = { [clockTolerance]: CLOCK_TOLERANCE_SECONDS }
    const discoverAt = (address: string) =>
      discovery(new URL(address), clientId, metadata, secret, { timeout: TIMEOUT_SECONDS, execute: discoveryOptions })
    return discoverAt(issuer).catch((error) =>
      hasErrorCode(error, WRONG_ISSUER) ? discoverAt(toggleTrailingSlash(issuer)) : Promise.reject(error),
    )
  }
  return loadOnce(() =>
    findConfiguration().catch((cause) => {
      throw new Problem(503, 'provider-unavailable', 'The sign-in provider does not respond. Try again.', { cause })
    }),
  )
}

/** Takes the state of a sign-in: once, in time, and for the browser that began it. */
async function redeemState(
  { db, masterKeys, clock }: SignInContext,
  state: string,
  browser: string,
): Promise<PendingSignIn | undefined> {
  const { rows } = await sql<{ sealed: Buffer }>`
    delete from provider_states
    where digest = ${digestSecretToken(state)} and browser = ${digestSecretToken(browser)} and created_at > ${new Date(clock.now() - PROVIDER_STATE_TTL_MS)}
    returning sealed`.execute(db)
  return rows[0] && JSON.parse(unsealWithMasterKey(masterKeys, rows[0].sealed, SEAL_CONTEXT).toString())
}

/** All that the provider says: the ID token, and where that is silent the UserInfo endpoint. */
async function loadClaims(
  clientConfig: Configuration,
  { claim }: OidcConfig,
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
): Promise<Record<string, unknown>> {
  const idTokenClaims: Record<string, unknown> = { ...tokens.claims() }
  const hasAllClaims =
    idTokenClaims['email'] !== undefined &&
    readClaim(idTokenClaims, claim) !== undefined &&
    isEmailVerified(idTokenClaims) !== undefined
  if (hasAllClaims || clientConfig.serverMetadata().userinfo_endpoint === undefined) return idTokenClaims
  const { fetchUserInfo } = await loadOpenIdClient()
  return { ...(await fetchUserInfo(clientConfig, tokens.access_token, String(idTokenClaims['sub']))), ...idTokenClaims }
}

/** A claim by its name, else by its path: `realm_access.roles`. */
function readClaim(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((value, part) => (isJsonObject(value) ? value[part] : undefined), claims)
}

/** Reads whether the address is verified, from the standard claim and those of Microsoft Entra; undefined when they report nothing. */
function isEmailVerified(claims: Record<string, unknown>): boolean | undefined {
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
function assertGroupsIncluded(claims: Record<string, unknown>, { claim, roles }: OidcConfig): void {
  const elsewhere = claims['_claim_names']
  if (!roles || readClaim(claims, claim) !== undefined || !isJsonObject(elsewhere) || elsewhere[claim] === undefined)
    return
  throw providerRefusedProblem(
    undefined,
    `The provider omitted "${claim}", because you have too many. Ask its administrator to send app roles, or only the groups of this application.`,
  )
}

function toIdentity(claims: Record<string, unknown>, settings: OidcConfig): ProviderIdentity {
  assertGroupsIncluded(claims, settings)
  const readText = (name: string) =>
    typeof claims[name] === 'string' && claims[name] !== '' ? claims[name] : undefined
  const amr = [claims['amr']].flat()
  return {
    issuer: String(claims['iss']),
    subject: String(claims['sub']),
    email: readText('email'),
    emailVerified: isEmailVerified(claims),
    name: readText('name') ?? readText('preferred_username'),
    roles: readClaim(claims, settings.claim),
    strong: amr.includes('mfa') || amr.includes('hwk'),
  }
}

/** Sign-in by OpenID Connect: code flow with PKCE, state and nonce. */
export function createIdentityProvider(context: SignInContext, settings: OidcConfig): IdentityProvider {
  const { db, masterKeys, clock, site } = context
  const findConfiguration = createDiscovery(settings)
  return {
    async begin(browser, to) {
      const clientConfig = await findConfiguration()
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier } =
        await loadOpenIdClient()
      const [state, nonce, verifier] = [generateSecretToken(), randomNonce(), randomPKCECodeVerifier()]
      const pendingSignIn: PendingSignIn = { nonce, verifier, to }
      await db
        .insertInto('provider_states')
        .values({
          digest: digestSecretToken(state),
          browser: digestSecretToken(browser),
          created_at: new Date(clock.now()),
          sealed: sealWithMasterKey(masterKeys, JSON.stringify(pendingSignIn), SEAL_CONTEXT),
        })
        .execute()
      return buildAuthorizationUrl(clientConfig, {
        scope: settings.scopes,
        state,
        nonce,
        redirect_uri: `${site.origin}${CALLBACK_PATH}`,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async end(browser, query) {
      const clientConfig = await findConfiguration()
      const state = new URLSearchParams(query).get('state') ?? ''
      const pendingSignIn = browser === undefined ? undefined : await redeemState(context, state, browser)
      if (!pendingSignIn) throw providerRefusedProblem()
      const { authorizationCodeGrant } = await loadOpenIdClient()
      const url = new URL(`${site.origin}${CALLBACK_PATH}?${query}`)
      const checks = {
        expectedState: state,
        expectedNonce: pendingSignIn.nonce,
        pkceCodeVerifier: pendingSignIn.verifier,
        idTokenExpected: true,
      }
      try {
        const claims = await loadClaims(clientConfig, settings, await authorizationCodeGrant(clientConfig, url, checks))
        return { identity: toIdentity(claims, settings), to: pendingSignIn.to }
      } catch (error) {
        if (error instanceof Problem) throw error
        // What the library throws may hold tokens.
        const cause = error instanceof Error ? new Error(error.name) : undefined
        const clockDetail =
          'The clocks of the provider and of this service differ by more than ten minutes. Correct them.'
        throw hasErrorCode(error, WRONG_TIME)
          ? providerRefusedProblem(cause, clockDetail)
          : providerRefusedProblem(cause)
      }
    },
  }
}
