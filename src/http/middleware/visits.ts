import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PublicSite } from '../../lib/net/site.ts'
import { formatAuditOperation } from '../resource/audit-requests.ts'
import { readSiteCookie, setSiteCookie } from './site.ts'

const SESSION_COOKIE_SECONDS = 14 * 24 * 3600
const ATTEMPT_COOKIE_SECONDS = 5 * 60
const KNOWN_BROWSER_SECONDS = 400 * 24 * 3600

/** The browser that a request comes from. */
export interface BrowserVisit {
  origin: { address: string; browser: string }
  /** The cookie of a known browser, as it was sent. */
  known: string | undefined
  /** The operation of the request, and its id. */
  act: { operation: string; request: string }
}

/** The browser that a request comes from, with the address behind trusted proxies. */
export function readBrowserVisit(request: FastifyRequest, site: PublicSite): BrowserVisit {
  const browser = String(request.headers['user-agent'] ?? '')
  const requestAct = { operation: formatAuditOperation(request), request: request.id }
  return { origin: { address: request.ip, browser }, known: readSiteCookie(request, site, 'known'), act: requestAct }
}

/** The language that a browser asks for, of those there are. */
export function negotiateLocale({ headers }: FastifyRequest): 'en' | 'fr' {
  const firstMatch = /(?:^|[,\s])(en|fr)\b/i.exec(String(headers['accept-language'] ?? ''))?.[1]
  return firstMatch?.toLowerCase() === 'fr' ? 'fr' : 'en'
}

/** The outcome of a sign-in, with the token of its cookie. */
type SignInOutcome<Method> =
  | { state: 'done'; token: string; email: string }
  | { state: 'second-factor'; token: string; methods: Method[] }

/** Answers a sign-in: the session's cookie, or that of the second factor. `remember` makes the cookie of a browser that is known now. */
export function answerSignIn<Method>(
  reply: FastifyReply,
  site: PublicSite,
  outcome: SignInOutcome<Method>,
  remember: (email: string) => string,
): { state: 'done' } | { state: 'second-factor'; methods: Method[] } {
  const { state, token: value } = outcome
  if (state === 'second-factor') {
    setSiteCookie(reply, site, { kind: 'attempt', value, seconds: ATTEMPT_COOKIE_SECONDS })
    return { state, methods: outcome.methods }
  }
  setSiteCookie(reply, site, { kind: 'session', value, seconds: SESSION_COOKIE_SECONDS })
  setSiteCookie(reply, site, { kind: 'known', value: remember(outcome.email), seconds: KNOWN_BROWSER_SECONDS })
  setSiteCookie(reply, site, { kind: 'attempt', value: '', seconds: 0 })
  return { state }
}
