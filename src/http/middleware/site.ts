import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../lib/errors/problem.ts'
import { isLoopbackHost } from '../../lib/net/loopback.ts'
import type { PublicSite, SiteCookieKind } from '../../lib/net/site.ts'

/** The value of a cookie of ours; undefined when it was not sent or is empty. */
export function readSiteCookie(
  { headers }: Pick<FastifyRequest, 'headers'>,
  site: PublicSite,
  kind: SiteCookieKind,
): string | undefined {
  const name = `${site.cookieName(kind)}=`
  const cookiePart = headers.cookie
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(name))
  const value = cookiePart?.slice(name.length)
  return value === undefined || value === '' || value.length > 1024 ? undefined : value
}

/** Sets a cookie for this number of seconds; 0 deletes it. Values must need no quoting. */
export function setSiteCookie(
  reply: FastifyReply,
  site: PublicSite,
  { kind, value, seconds }: { kind: SiteCookieKind; value: string; seconds: number },
): void {
  const secureAttribute = site.isHttps ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${site.cookieName(kind)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secureAttribute}`,
  )
}

/** Throws 421 where the Host is neither that of the public address nor this machine: DNS rebinding, or a wrong proxy. */
export function requireSiteHost({ host }: Pick<FastifyRequest, 'host'>, site: PublicSite): void {
  const hostname = URL.parse(`http://${host}`)?.hostname ?? ''
  if (hostname === site.hostname || isLoopbackHost(hostname)) return
  throw new Problem(421, 'misdirected', `This service is only available at ${site.origin}.`)
}

/** Throws 403 `cross-site` unless a page of the public address made the request: by Origin, else Referer, else Sec-Fetch-Site. */
export function requireSameSite({ headers }: Pick<FastifyRequest, 'headers'>, site: PublicSite): void {
  const { origin, referer } = headers
  const isSameOrigin =
    origin !== undefined
      ? origin === site.origin
      : referer !== undefined
        ? URL.parse(referer)?.origin === site.origin
        : headers['sec-fetch-site'] === 'same-origin'
  if (isSameOrigin) return
  throw new Problem(403, 'cross-site', `With a session, only pages of ${site.origin} can make changes.`)
}

/** Throws 403 `cross-site` for a request that a page of another site made, with whatever it proves who it is: DNS rebinding. */
export function requireNotCrossSite({ headers }: Pick<FastifyRequest, 'headers'>, site: PublicSite): void {
  if (headers.origin === undefined || headers.origin === site.origin) return
  throw new Problem(403, 'cross-site', `Only pages of ${site.origin} can make this request from a browser.`)
}

/** Throws 403 where a password would travel in the clear. */
export function requireSecureTransport({ isSafe }: PublicSite): void {
  if (isSafe) return
  throw new Problem(
    403,
    'https-needed',
    'Users can sign in only over https or on this machine. Set STENTOR_PUBLIC_URL to an https address.',
  )
}
