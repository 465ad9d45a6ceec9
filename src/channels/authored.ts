import type { RcsExpiration, RcsFallback, RcsMessageContent } from './rcs/content/content-schemas.ts'

/**
 * One template of a content. A channel gives its content as such parts and gets them back rendered, by their names.
 * Plain JSON.
 */
export interface TemplatePart {
  /** A member of the content, or the path of one: its faults are reported under it. */
  name: string
  template: string
  /** In `html` values are escaped and links are looked for, in `text` neither. */
  mode: 'html' | 'text'
  /** Form of the service's addresses: tokens, or short codes that are stored. */
  links: 'tracked' | 'shortened'
  /** Pixel, honeypot and banner have their places in it. */
  isPage?: true
  /** Shows the same as others: a rendering may be asked for one of them alone, and a request may replace them all. */
  isAlternative?: true
  /** One line of a header: control characters are not left in it. */
  isHeader?: true
  /** It is sent in place of the others, when they do not arrive. */
  isFallback?: true
  /** A test's prefix stands before it. */
  isPrefixed?: true
  /** The template is HTML, and the part is the text that is derived from it. */
  isDerived?: true
  /**
   * All of it is one web address, which becomes a tracked one; what is no web address, or is longer, is left as it is.
   * `name` null: the link is named by its number.
   */
  address?: { name: string | null; longest: number }
}

/** The content of a mail as it is frozen. */
export interface MailVersionContent {
  subject: string | null
  html: string | null
  text: string | null
  amp: string | null
}

/** The content of an SMS as it is frozen. */
export interface SmsVersionContent {
  textContent: string | null
}

/** The settings of an action that determine its sender and the form of its messages. */
export interface AuthoredSettings {
  /** RCS only: the profile whose agent sends. */
  profile?: number | null
  trafficType?: string | null
  expiration?: RcsExpiration | null
  sendingProfile?: number | null
  purpose: { type: 'marketing' | 'service' }
  contentFormat?: 1 | 2 | 3
  importance?: boolean
  smsFormat?: 1 | 2 | 3
  smsType?: 1 | 2
  countries?: string[]
  sender?: string | null
}

/** The content of an action that determines whether it is complete and who sends it. */
export interface AuthoredContent {
  /** RCS only, with the fallback that is sent if the message does not arrive. */
  content?: RcsMessageContent | null
  fallback?: RcsFallback | null
  subject?: string | null
  html?: string | null
  text?: string | null
  amp?: string | null
  textContent?: string | null
  headers?: {
    from?: { prefix?: string | null; domain?: string | null; label?: string | null } | null
    reply?: string | null
  }
}
