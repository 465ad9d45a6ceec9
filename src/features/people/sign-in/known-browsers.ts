import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { MasterKeys } from '../../../lib/crypto/tokens.ts'
import { hashWithMasterKey } from './secrets.ts'

/** People who may share a browser. */
const MAX_PEOPLE = 5
const SIGN_BYTES = 16
const COOKIE = /^([\w-]{22})((?:\.[\w-]{22}){1,5})$/

interface Known {
  browser: string
  signs: string[]
}

function read(cookie: string | undefined): Known | undefined {
  const [, browser, signs] = COOKIE.exec(cookie ?? '') ?? []
  return browser === undefined || signs === undefined ? undefined : { browser, signs: signs.slice(1).split('.') }
}

function signOf(keys: MasterKeys, browser: string, email: string): string {
  return hashWithMasterKey(keys, 'known browser', `${browser} ${email}`).subarray(0, SIGN_BYTES).toString('base64url')
}

/** The browser of a cookie, where it signed in before as the person of this email; undefined where it did not. */
export function findKnownBrowser(keys: MasterKeys, cookie: string | undefined, email: string): string | undefined {
  const known = read(cookie)
  if (!known) return undefined
  const own = Buffer.from(signOf(keys, known.browser, email))
  return known.signs.some((sign) => timingSafeEqual(Buffer.from(sign), own)) ? known.browser : undefined
}

/** The cookie of a browser that has signed in as the person of this email, too. */
export function createBrowserCookie(keys: MasterKeys, cookie: string | undefined, email: string): string {
  const { browser, signs } = read(cookie) ?? { browser: randomBytes(16).toString('base64url'), signs: [] }
  const own = signOf(keys, browser, email)
  return [browser, own, ...signs.filter((sign) => sign !== own)].slice(0, 1 + MAX_PEOPLE).join('.')
}
