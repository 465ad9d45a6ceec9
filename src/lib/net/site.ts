import { isLoopbackHost } from './loopback.ts'

/** What a cookie is of: a session, a sign-in that awaits its second factor, a browser that is known, a sign-in at a provider. */
export type SiteCookieKind = 'session' | 'attempt' | 'known' | 'provider'

const SUFFIXES: Record<SiteCookieKind, string> = {
  session: '',
  attempt: '-attempt',
  known: '-known',
  provider: '-provider',
}

/** What follows from the public address for people: their cookies, and which hosts and origins are its own. */
export interface PublicSite {
  origin: string
  /** The host without port: the relying party of passkeys. */
  hostname: string
  isHttps: boolean
  /** Whether people may sign in: https, or this machine. */
  isSafe: boolean
  cookieName(kind: SiteCookieKind): string
}

/** `publicUrl` may be empty where nothing listens yet. */
export function toPublicSite(publicUrl: string): PublicSite {
  const { origin, hostname, protocol, port } = new URL(publicUrl === '' ? 'http://localhost' : publicUrl)
  const isHttps = protocol === 'https:'
  const base = isHttps ? '__Host-stentor' : `stentor_${port === '' ? 80 : port}`
  return {
    ...{ origin, hostname, isHttps },
    isSafe: isHttps || isLoopbackHost(hostname),
    cookieName: (kind) => `${base}${SUFFIXES[kind]}`,
  }
}
