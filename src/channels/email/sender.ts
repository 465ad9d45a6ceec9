import { domainToASCII } from 'node:url'
import { resolveDefaultDomain } from '../../features/accounts/sending-settings.ts'
import type { AccountSenderProfile, AccountSendingSettings } from '../../features/accounts/sending-settings-schemas.ts'
import type { ReportedFlaw } from '../../features/rendering/flaw-schemas.ts'
import type { AuthoredContent } from '../authored.ts'
import type { ResolvedSender } from '../channel.ts'
import { isProfileDomainName } from '../version-source.ts'

type Headers = NonNullable<AuthoredContent['headers']>

/** The profile asked for; the default one of e-mail when none is, or when it is gone. */
function profileOf({ profiles }: AccountSendingSettings, id: number | null): AccountSenderProfile | undefined {
  const own = profiles.filter(({ channel }) => channel === 'email')
  return own.find((profile) => profile.id === id) ?? own.find((profile) => profile.default)
}

function flaw(type: string, message: string): ReportedFlaw {
  return { type, message, part: 'from', position: null }
}

/**
 * The sender of an e-mail: what its headers give over its profile. A domain that is not verified is replaced by the
 * default one, or is an error, as the account says (actions.md 2, `unverifiedDomain`).
 */
export function resolveMailSender(
  { from: given, reply = null }: Partial<Headers>,
  sendingProfile: number | null,
  sending: AccountSendingSettings,
  publicUrl: string,
): ResolvedSender {
  const from = given ?? {}
  const profile = profileOf(sending, sendingProfile)
  const fallback = resolveDefaultDomain(sending, publicUrl)
  const profileDomain = domainToASCII(profile?.from?.domain ?? fallback)
  const wanted = from.domain == null || isProfileDomainName(from.domain) ? profileDomain : domainToASCII(from.domain)
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
