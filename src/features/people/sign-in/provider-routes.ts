import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HttpApp } from '../../../http/app-type.ts'
import { readSiteCookie, requireSecureTransport, setSiteCookie } from '../../../http/middleware/site.ts'
import { answerSignIn, negotiateLocale, readBrowserVisit } from '../../../http/middleware/visits.ts'
import { assertNotTooEarly, notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { toNetworkPrefix } from '../../../lib/net/networks.ts'
import type { OidcConfig } from '../../../lib/net/oidc-settings.ts'
import { createWindowCounter } from '../../../lib/time/window-counter.ts'
import { signInRefusals } from '../people-schemas.ts'
import { auditRefusedSignIn } from '../told.ts'
import { createBrowserCookie } from './known-browsers.ts'
import { createIdentityProvider, type IdentityProvider } from './provider.ts'
import { signInByIdentityProvider } from './provider-sign-in.ts'
import { generateSecretToken } from './secrets.ts'
import type { SignInContext } from './sign-in.ts'

const providerRefusals = {
  ...signInRefusals,
  403: 'https-needed provider-refused not-invited',
  404: 'not-found',
  503: 'provider-unavailable',
}
const tags = ['sign-in']
const SIGN_IN_TTL_SECONDS = 600
/** Sign-ins that a process begins for an address in a minute: each is a row. */
const MAX_STARTS_PER_MINUTE = 60
const MINUTE_MS = 60_000
const HOME_PATH = '/console/'
const SIGN_IN_PATH = '/console/sign-in'

/** Target of the browser after sign-in: only within the console. */
function resolveDestination(to: string | undefined): string {
  return to !== undefined && /^\/console\/[\w/?=&.~%-]*$/.test(to) && !to.includes('//') ? to : HOME_PATH
}

/** A page is led back to the sign-in with the kind of its problem; programs get the problem. */
function redirectWithProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const isPage = String(request.headers.accept ?? '').includes('text/html')
  if (!isPage || !(error instanceof Problem)) throw error
  return reply.redirect(`${SIGN_IN_PATH}?problem=${error.kind}`, 302)
}

interface ProviderRoutesContext extends SignInContext {
  settings: OidcConfig
}

async function handleCallback(
  request: FastifyRequest,
  reply: FastifyReply,
  context: ProviderRoutesContext & { provider: IdentityProvider },
) {
  const { site, masterKeys, provider, settings } = context
  const browser = readSiteCookie(request, site, 'provider')
  setSiteCookie(reply, site, { kind: 'provider', value: '', seconds: 0 })
  const { identity, to: returnPath } = await provider.end(browser, request.url.split('?')[1] ?? '')
  const visit = readBrowserVisit(request, site)
  const providerSignIn = { identity, locale: negotiateLocale(request), log: request.log }
  const signIn = () => signInByIdentityProvider(context, settings, providerSignIn, visit)
  const outcome = await auditRefusedSignIn(context, visit, identity.email, signIn)
  const { state } = answerSignIn(reply, site, outcome, (email) => createBrowserCookie(masterKeys, visit.known, email))
  return reply.redirect(state === 'done' ? returnPath : `${SIGN_IN_PATH}?state=${state}`, 302)
}

const ProviderSignInQuery = Type.Object({
  to: Type.Optional(
    Type.String({
      description: 'Path in the console to open afterwards. Absent, or not below `/console/`: the home page.',
    }),
  ),
})

const RETURN_DESCRIPTION =
  'The provider redirects the browser to this address. Signs the user in and redirects to the console; the first sign-in ' +
  'requires an invitation, an existing user with the same verified email address, or a role at the provider. A browser ' +
  'that fails is redirected to the sign-in page with the type of the problem.'

/** Sign-in by OpenID Connect; 404 where no provider is set up. */
export function identityProviderRoutes(app: HttpApp, context: SignInContext, settings: OidcConfig | undefined): void {
  const { site, clock } = context
  const startCounter = createWindowCounter(MAX_STARTS_PER_MINUTE, MINUTE_MS)
  const provider = settings && createIdentityProvider(context, settings)
  const requireProvider = () => {
    if (settings && provider) return { ...context, settings, provider }
    throw notFoundProblem('sign-in provider', 'on this installation')
  }
  app.get('/auth/oidc', {
    config: { public: true },
    exposeHeadRoute: false,
    schema: {
      tags,
      summary: 'Sign in through the identity provider',
      description:
        'Starts a sign-in by OpenID Connect and redirects the browser to the provider. The sign-in must be ' +
        'completed within 10 minutes in the same browser. Returns 404 if the installation has no provider.',
      operationId: 'signInByProvider',
      refusals: providerRefusals,
      querystring: ProviderSignInQuery,
      response: { 302: Type.Null() },
    },
    handler: async (request, reply) => {
      requireSecureTransport(site)
      assertNotTooEarly(startCounter(toNetworkPrefix(request.ip), clock.now()))
      const browser = generateSecretToken()
      try {
        const url = await requireProvider().provider.begin(browser, resolveDestination(request.query.to))
        setSiteCookie(reply, site, { kind: 'provider', value: browser, seconds: SIGN_IN_TTL_SECONDS })
        return reply.redirect(url.href, 302)
      } catch (error) {
        return redirectWithProblem(request, reply, error)
      }
    },
  })
  app.get('/auth/oidc/callback', {
    config: { public: true },
    exposeHeadRoute: false,
    schema: {
      tags,
      summary: 'Complete a sign-in through the identity provider',
      description: RETURN_DESCRIPTION,
      operationId: 'returnFromProvider',
      refusals: providerRefusals,
      response: { 302: Type.Null() },
    },
    handler: async (request, reply) => {
      requireSecureTransport(site)
      try {
        return await handleCallback(request, reply, requireProvider())
      } catch (error) {
        return redirectWithProblem(request, reply, error)
      }
    },
  })
}
