import { isLoopbackHost } from './loopback.ts'

/** The purpose of a cookie: a session, a sign-in that awaits its second factor, a known browser, a sign-in at a provider. */
export type SiteCookieKind = 'session' | 'attempt' | 'known' | 'provider'

const COOKIE_SUFFIXES: Record<SiteCookieKind, string> = {
  session: '',
  attempt: '-attempt',
  known: '-known',
  provider: '-provider',
}

/** Values derived from the public address for people: their cookies, and the hosts and origins that belong to the site. */
export interface PublicSite {
  origin: string
  /** The host without port: the relying party of passkeys. */
  hostname: string
  isHttps: boolean
  /** True if people may sign in: https, or this machine. */
  isSafe: boolean
  cookieName(kind: SiteCookieKind): string
}

/** `publicUrl` may be empty where nothing listens yet. */
export function toPublicSite(publicUrl: string): PublicSite {
  const { origin, hostname, protocol, port } = new URL(publicUrl === '' ? 'http://localhost' : publicUrl)
  const isHttps = protocol === 'https:'
  const cookieBase = isHttps ? '__Host-stentor' : `stentor_${port === '' ? 80 : port}`
  return {
    origin,
    hostname,
    isHttps,
    isSafe: isHttps || isLoopbackHost(hostname),
    cookieName: (kind) => `${cookieBase}${COOKIE_SUFFIXES[kind]}`,
  }
}
