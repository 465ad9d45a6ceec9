import type { MessagePressure } from '../features/pressure/pressure-schemas.ts'
import type { ContentSource } from '../features/rendering/content.ts'
import { type ChannelTraits, getChannelTraits, type SendingChannelName, type VersionContent } from './channel-traits.ts'

/** The sender of a message, resolved when the content was frozen: the headers of the action override its sending profile. */
export interface SenderIdentity {
  from: { prefix: string; domain: string; label: string | null }
  /** The domain of its profile, whatever the action's headers say; absent in contents of former times. */
  profileDomain?: string
  reply: string | null
  /** Domain of the return path and of mailto unsubscriptions. */
  bounceDomain: string
  /** Address under which links are followed, without a trailing slash: `https://t.shop.example`. */
  trackingUrl: string
}

/** Returns true if a text is the name that clients use for the domain of the sending profile. */
export function isProfileDomainName(text: string): boolean {
  return text.toLowerCase() === 'defaultdomain'
}

/** The domain of a message that is given one of its own: that of the profile where the word for it is given. */
export function resolveSenderDomain(
  requestedDomain: string | null | undefined,
  { from, profileDomain }: SenderIdentity,
): string {
  if (requestedDomain == null) return from.domain
  return isProfileDomainName(requestedDomain) ? (profileDomain ?? from.domain) : requestedDomain
}

/** SMS settings of a content, in addition to the common ones. */
export interface SmsVersionSettings {
  format: 1 | 2 | 3
  /** ISO 3166 alpha-3; empty: all. */
  countries: string[]
  /** A name, or digits. */
  sender: string
  /** Must be in the text; null: it need not. */
  stopMention: string | null
}

/** Members of a profile that determine the sender of its messages. The profile is a resource of its own. */
export interface RcsSenderProfile {
  id: number
  agent: string
  /** ISO 3166 alpha-3: how national numbers are read. Absent: they are not. */
  country?: string
  fallback: { sender: string | null } | null
}

/** RCS settings of a content, in addition to the common ones. */
export interface RcsVersionSettings {
  /** Number of the profile, and the agent it sends with. */
  profile: number
  agent: string
  /** ISO 3166 alpha-3: how national numbers are read. Absent: they are not. */
  country?: string
  /** Null: that of the purpose. */
  trafficType: 'AUTHENTICATION' | 'TRANSACTION' | 'PROMOTION' | 'SERVICEREQUEST' | 'ACKNOWLEDGEMENT' | null
  /** Maximum time in milliseconds that messages may wait or be in transit. Absent: the limit of their sending. */
  expirationMs?: number
}

/** Input for building a message, frozen at a test or a validation. Later edits of the action do not change it. */
export interface ContentVersionSource {
  channel: SendingChannelName
  action: { id: number; name: string; type: string }
  account: { agency: string; customer: string; name: string }
  settings: {
    purpose: 'marketing' | 'service'
    contentFormat: 1 | 2 | 3
    /** Id of the field that holds the address. */
    field: number
    culture: string
    timeZone: string
    timeZoneField: number | null
    consent: 0 | 1 | 2
    priority: boolean
    importance: boolean
    environment: Record<string, unknown>
    archive: boolean
    /** Query parameters that redirects add. */
    analyser: Record<string, string>
    honeypot: boolean
    /** Field that must say yes for an open pixel. */
    openConsentField: number | null
    /** Effect of marketing pressure on it; absent in older contents: determined by its purpose. */
    pressure?: MessagePressure
  }
  content: VersionContent
  /** The fields of the account and the ids of its forms, as they stood. */
  fields: { id: number; name: string }[]
  forms: string[]
  sender: SenderIdentity
  /** SMS, and the SMS that RCS falls back on. */
  sms?: SmsVersionSettings
  /** RCS only. */
  rcs?: RcsVersionSettings
  /** A test's own: prefix of the subject (of an SMS: its text), and variables in scope. */
  test: { subjectPrefix: string; variables: Record<string, unknown> } | null
}

/**
 * Returns the maximum time in milliseconds that messages of a version may wait or be in transit; `undefined`: the limit of their sending.
 */
export function getVersionLifetimeMs({ rcs }: ContentVersionSource): number | undefined {
  return rcs?.expirationMs
}

/** The content of a version as the rendering reads it. */
export function toContentSource(source: ContentVersionSource): ContentSource {
  return toChannelContentSource(getChannelTraits(source.channel), source)
}

/** The same by the traits of its channel. */
export function toChannelContentSource(
  { parts, wantsUnsubscribeLink }: Pick<ChannelTraits, 'parts' | 'wantsUnsubscribeLink'>,
  { settings, content, fields, forms }: Pick<ContentVersionSource, 'settings' | 'content' | 'fields' | 'forms'>,
): ContentSource {
  const { contentFormat, culture, environment, honeypot } = settings
  return {
    parts: parts(content, contentFormat),
    culture,
    environment,
    fields,
    forms,
    honeypot,
    wantsUnsubscribeLink,
    analyse: false,
  }
}
