import { domainToASCII } from 'node:url'
import { isProfileDomain, type Sender } from '../../outbox/version.ts'
import { defaultDomain } from '../accounts/sending-settings.ts'
import type { Profile, SendingSettings } from '../accounts/sending-settings-schemas.ts'
import type { FlawShown } from '../rendering/flaw-schemas.ts'
import type { StoredContent } from './stored.ts'

/** Who an e-mail is from, and what there is to say of it. */
export interface ResolvedSender {
  sender: Sender
  errors: FlawShown[]
  findings: FlawShown[]
}

type Headers = NonNullable<StoredContent['headers']>

/** The profile asked for; the default one of e-mail when none is, or when it is gone. */
function profileOf({ profiles }: SendingSettings, id: number | null): Profile | undefined {
  const own = profiles.filter(({ channel }) => channel === 'email')
  return own.find((profile) => profile.id === id) ?? own.find((profile) => profile.default)
}

function flaw(type: string, message: string): FlawShown {
  return { type, message, part: 'from', position: null }
}

/**
 * The sender of an e-mail: what its headers give over its profile. A domain that is not verified is replaced by the
 * default one, or is an error, as the account says (actions.md 2, `unverifiedDomain`).
 */
export function resolveSender(
  { from = {}, reply = null }: Partial<Headers>,
  sendingProfile: number | null,
  sending: SendingSettings,
  publicUrl: string,
): ResolvedSender {
  const profile = profileOf(sending, sendingProfile)
  const fallback = defaultDomain(sending, publicUrl)
  const profileDomain = domainToASCII(profile?.from?.domain ?? fallback)
  const wanted = from.domain == null || isProfileDomain(from.domain) ? profileDomain : domainToASCII(from.domain)
  const isVerified = sending.domains.some(({ domain, verified }) => verified && domain === wanted)
  const isRefused = !isVerified && sending.unverifiedDomain === 'refuse'
  const isReplaced = !isVerified && !isRefused && wanted !== fallback
  const prefix = from.prefix ?? profile?.from?.prefix ?? 'news'
  const label = from.label ?? profile?.from?.label ?? null
  const trackingHost = profile?.trackingHost ?? null
  return {
    sender: {
      from: { prefix, domain: isReplaced ? fallback : wanted, label },
      profileDomain,
      reply: reply ?? profile?.reply ?? (isReplaced ? `${prefix}@${wanted}` : null),
      bounceDomain: profile?.bounceDomain ?? fallback,
      trackingUrl: trackingHost === null ? publicUrl : `https://${trackingHost}`,
    },
    errors: isRefused ? [flaw('sender', `The domain ${wanted} is not verified: nothing is sent from it.`)] : [],
    findings: isReplaced
      ? [flaw('domain-substituted', `The domain ${wanted} is not verified: messages come from ${fallback} instead.`)]
      : [],
  }
}
