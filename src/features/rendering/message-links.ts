import { randomBytes } from 'node:crypto'
import {
  type AccountTokenKey,
  createMessageSigner,
  type LinkTokenKind,
  type MessageSigner,
} from '../../lib/crypto/tokens.ts'
import type { SentSourceNumber } from '../../lib/sources.ts'
import { toAsciiHostAddress } from './html/addresses.ts'
import type { LinkDefinition } from './html/mark-address.ts'
import type { ScopeLinks } from './scope.ts'

/** Input for the links of one message. Plain data: it may come from another thread. */
export interface MessageLinkInput extends SentSourceNumber {
  /** Base URL of public pages, without a trailing slash: `https://t.shop.example`. */
  trackingUrl: string
  /** The account's signing key, `AccountTokenKeys.signing(account)`. */
  key: AccountTokenKey
  account: number
  version: number
  contact: number
  stamp: string
}

/** Style of the links. */
export interface LinkStyle {
  /** `tracked` links count; `silent` ones lead on and record nothing; `plain` ones are their targets. */
  tracking: 'tracked' | 'silent' | 'plain'
  /** System links lead to a page that says "preview". */
  preview: boolean
  /** Tokens of a proof. */
  test: boolean
  /** Short addresses, as in SMS. */
  short: boolean
}

/** An address kept under a short code; to be stored before the message goes out. */
export interface ShortLink {
  code: string
  kind: LinkTokenKind
  /** Number of the link in the version's table; 0 for none. */
  link: number
  /** Target of the link; null for links of the service. */
  target: string | null
}

/** Makes the addresses of one message. */
export interface MessageLinks {
  style: LinkStyle
  /** Every public page of this service begins with it: such an address is never tracked again. */
  ownPrefixes: readonly string[]
  /**
   * The address of a link that leads to `target`. `travels`: the version's table does not hold the target. `longest`:
   * characters that the address may have.
   */
  redirection(link: number, target: string, travels: boolean, longest?: number): string
  /** The address of a page of the service. */
  system(kind: 'mirror' | 'unsubscribe' | 'form', link: number): string
  pixel(): string
  honeypot(): string
}

const SHORT_CODE_CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SHORT_CODE_LENGTH = 10
/** Mail readers and servers cut long addresses; beyond this a target is kept here instead. */
const MAX_TARGET_BYTES = 1500

const TRACKING_PATHS: Record<LinkTokenKind, string> = {
  open: '/t/o/',
  redirection: '/t/r/',
  mirror: '/t/m/',
  unsubscribe: '/t/u/',
  form: '/t/f/',
  honeypot: '/t/h/',
}

/** `short` gets the short links that are made. */
export function createMessageLinks(input: MessageLinkInput, style: LinkStyle, short: ShortLink[]): MessageLinks {
  const { trackingUrl, key, ...message } = input
  const systemAddresses = new Map<string, string>()
  let signer: MessageSigner | undefined

  function sign(kind: LinkTokenKind, link: number, target?: string): string {
    signer ??= createMessageSigner(key, { ...message, test: style.test, silent: style.tracking !== 'tracked' })
    const token = signer.sign(kind, link, target)
    const travelling = target === undefined ? '' : `/${Buffer.from(target).toString('base64url')}`
    return `${trackingUrl}${TRACKING_PATHS[kind]}${token}${travelling}`
  }

  function shorten(kind: LinkTokenKind, link: number, target: string | null): string {
    const code = createShortCode()
    short.push({ code, kind, link, target })
    return `${trackingUrl}/s/${code}`
  }

  return {
    style,
    ownPrefixes: [`${trackingUrl}/t/`, `${trackingUrl}/s/`],
    redirection(link, target, travels, longest = Number.POSITIVE_INFINITY) {
      if (style.tracking === 'plain') return toAsciiHostAddress(target)
      const mayShorten = style.tracking === 'tracked'
      if (style.short || (mayShorten && travels && Buffer.byteLength(target) > MAX_TARGET_BYTES))
        return shorten('redirection', link, target)
      const address = sign('redirection', link, travels ? target : undefined)
      if (address.length <= longest) return address
      return mayShorten ? shorten('redirection', link, target) : target
    },
    system(kind, link) {
      if (style.preview) return `${trackingUrl}/t/preview`
      const name = `${kind} ${link}`
      let address = systemAddresses.get(name)
      if (address === undefined) {
        address = style.short ? shorten(kind, link, null) : sign(kind, link)
        systemAddresses.set(name, address)
      }
      return address
    },
    pixel: () => sign('open', 0),
    honeypot: () => sign('honeypot', 0),
  }
}

/** Ten random characters, all of them equally likely: bytes beyond the last whole round of 62 are thrown away. */
function createShortCode(): string {
  let code = ''
  while (code.length < SHORT_CODE_LENGTH)
    for (const byte of randomBytes(SHORT_CODE_LENGTH * 2))
      if (byte < 248 && code.length < SHORT_CODE_LENGTH) code += SHORT_CODE_CHARACTERS[byte % 62]
  return code
}

/** Creates the `links` object of templates. Forms have numbers in the version's table. */
export function createScopeLinks(links: MessageLinks, table: readonly LinkDefinition[]): ScopeLinks {
  return {
    get mirror() {
      return links.system('mirror', 0)
    },
    get unsubscribe() {
      return links.system('unsubscribe', 0)
    },
    get form() {
      const forms: Record<string, string> = {}
      for (const { id, form } of table)
        if (form !== undefined && !Object.hasOwn(forms, form))
          Object.defineProperty(forms, form, { enumerable: true, get: () => links.system('form', id) })
      return forms
    },
  }
}
