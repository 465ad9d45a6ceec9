import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HttpApp } from '../../../http/app-type.ts'
import { readSiteCookie, requireSecureTransport, setSiteCookie } from '../../../http/middleware/site.ts'
import { answerSignIn, negotiateLocale, readBrowserVisit } from '../../../http/middleware/visits.ts'
import { assertNotTooEarly, notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { toNetworkPrefix } from '../../../lib/net/networks.ts'
import type { OidcConfig } from '../../../lib/net/oidc-settings.ts'
import { createWindowCounter } from '../../../lib/time/window-counter.ts'
import { auditRefusedSignIn } from '../told.ts'
import { createBrowserCookie } from './known-browsers.ts'
import { createIdentityProvider, type IdentityProvider } from './provider.ts'
import { signInByIdentityProvider } from './provider-sign-in.ts'
import { generateSecretToken } from './secrets.ts'
import type { SignInContext } from './sign-in.ts'

const tags = ['sign-in']
const BEGUN_SECONDS = 600
/** Sign-ins that a process begins for an address in a minute: each is a row. */
const BEGINNINGS = 60
const MINUTE_MS = 60_000
const HOME = '/console/'
const SIGN_IN = '/console/sign-in'

/** Where a browser goes after its sign-in: within the console alone. */
function destination(to: string | undefined): string {
  return to !== undefined && /^\/console\/[\w/?=&.~%-]*$/.test(to) && !to.includes('//') ? to : HOME
}

/** A page is led back to the sign-in with the kind of its problem; programs get the problem. */
function lead(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const isPage = String(request.headers.accept ?? '').includes('text/html')
  if (!isPage || !(error instanceof Problem)) throw error
  return reply.redirect(`${SIGN_IN}?problem=${error.kind}`, 302)
}

interface ProviderRoutes extends SignInContext {
  settings: OidcConfig
}

async function comeBack(
  request: FastifyRequest,
  reply: FastifyReply,
  context: ProviderRoutes & { provider: IdentityProvider },
) {
  const { site, masterKeys, provider, settings } = context
  const browser = readSiteCookie(request, site, 'provider')
  setSiteCookie(reply, site, { kind: 'provider', value: '', seconds: 0 })
  const { identity, to } = await provider.end(browser, request.url.split('?')[1] ?? '')
  const visit = readBrowserVisit(request, site)
  const coming = { identity, locale: negotiateLocale(request), log: request.log }
  const work = () => signInByIdentityProvider(context, settings, coming, visit)
  const outcome = await auditRefusedSignIn(context, visit, identity.email, work)
  const { state } = answerSignIn(reply, site, outcome, (email) => createBrowserCookie(masterKeys, visit.known, email))
  return reply.redirect(state === 'done' ? to : `${SIGN_IN}?state=${state}`, 302)
}

/** Sign-in by OpenID Connect; 404 where no provider is set up. */
export function identityProviderRoutes(app: HttpApp, context: SignInContext, settings: OidcConfig | undefined): void {
  const { site, clock } = context
  const begun = createWindowCounter(BEGINNINGS, MINUTE_MS)
  const provider = settings && createIdentityProvider(context, settings)
  const known = () => {
    if (settings && provider) return { ...context, settings, provider }
    throw notFoundProblem('provider', 'of sign-ins here')
  }
  app.get('/auth/oidc', {
    config: { public: true },
    exposeHeadRoute: false,
    schema: {
      tags,
      summary: 'sign in at the provider of this installation',
      querystring: Type.Object({
        to: Type.Optional(Type.String({ description: 'where to go afterwards, below /console/' })),
      }),
      response: { 302: Type.Null() },
    },
    handler: async (request, reply) => {
      requireSecureTransport(site)
      assertNotTooEarly(begun(toNetworkPrefix(request.ip), clock.now()))
      const browser = generateSecretToken()
      try {
        const url = await known().provider.begin(browser, destination(request.query.to))
        setSiteCookie(reply, site, { kind: 'provider', value: browser, seconds: BEGUN_SECONDS })
        return reply.redirect(url.href, 302)
      } catch (error) {
        return lead(request, reply, error)
      }
    },
  })
  app.get('/auth/oidc/callback', {
    config: { public: true },
    exposeHeadRoute: false,
    schema: { tags, summary: 'where the provider sends the browser back', response: { 302: Type.Null() } },
    handler: async (request, reply) => {
      requireSecureTransport(site)
      try {
        return await comeBack(request, reply, known())
      } catch (error) {
        return lead(request, reply, error)
      }
    },
  })
}
