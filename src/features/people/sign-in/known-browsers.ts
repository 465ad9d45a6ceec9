import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { MasterKeys } from '../../../lib/crypto/tokens.ts'
import { hashWithMasterKey } from './secrets.ts'

/** People who may share a browser. */
const MAX_PEOPLE = 5
const SIGNATURE_BYTES = 16
const COOKIE_PATTERN = /^([\w-]{22})((?:\.[\w-]{22}){1,5})$/

interface KnownBrowser {
  browser: string
  signs: string[]
}

function parseCookie(cookie: string | undefined): KnownBrowser | undefined {
  const [, browser, signs] = COOKIE_PATTERN.exec(cookie ?? '') ?? []
  return browser === undefined || signs === undefined ? undefined : { browser, signs: signs.slice(1).split('.') }
}

function signBrowser(keys: MasterKeys, browser: string, email: string): string {
  return hashWithMasterKey(keys, 'known browser', `${browser} ${email}`)
    .subarray(0, SIGNATURE_BYTES)
    .toString('base64url')
}

/** The browser of a cookie, where it signed in before as the person of this email; undefined where it did not. */
export function findKnownBrowser(keys: MasterKeys, cookie: string | undefined, email: string): string | undefined {
  const knownBrowser = parseCookie(cookie)
  if (!knownBrowser) return undefined
  const expectedSignature = Buffer.from(signBrowser(keys, knownBrowser.browser, email))
  return knownBrowser.signs.some((sign) => timingSafeEqual(Buffer.from(sign), expectedSignature))
    ? knownBrowser.browser
    : undefined
}

/** Creates the cookie of a browser that has also signed in as the person of this email. */
export function createBrowserCookie(keys: MasterKeys, cookie: string | undefined, email: string): string {
  const { browser, signs: signatures } = parseCookie(cookie) ?? {
    browser: randomBytes(16).toString('base64url'),
    signs: [],
  }
  const browserSignature = signBrowser(keys, browser, email)
  return [browser, browserSignature, ...signatures.filter((sign) => sign !== browserSignature)]
    .slice(0, 1 + MAX_PEOPLE)
    .join('.')
}
