import { domainToASCII } from 'node:url'
import { resolveDefaultDomain } from '../../features/accounts/sending-settings.ts'
import type { AccountSenderProfile, AccountSendingSettings } from '../../features/accounts/sending-settings-schemas.ts'
import type { ReportedFlaw } from '../../features/rendering/flaw-schemas.ts'
import type { AuthoredContent } from '../authored.ts'
import type { ResolvedSender } from '../channel.ts'
import { isProfileDomainName } from '../version-source.ts'

type AuthoredHeaders = NonNullable<AuthoredContent['headers']>

/** The profile asked for; the default one of e-mail when none is, or when it is gone. */
function findMailProfile({ profiles }: AccountSendingSettings, id: number | null): AccountSenderProfile | undefined {
  const mailProfiles = profiles.filter(({ channel }) => channel === 'email')
  return mailProfiles.find((profile) => profile.id === id) ?? mailProfiles.find((profile) => profile.default)
}

function buildSenderFlaw(type: string, message: string): ReportedFlaw {
  return { type, message, part: 'from', position: null }
}

/**
 * Resolves the sender of an email: its headers override its profile. If the domain is not verified, the account's `unverifiedDomain`
 * decides: the default domain replaces it, or it is an error.
 */
export function resolveMailSender(
  { from: authoredFrom, reply = null }: Partial<AuthoredHeaders>,
  sendingProfile: number | null,
  sending: AccountSendingSettings,
  publicUrl: string,
): ResolvedSender {
  const from = authoredFrom ?? {}
  const profile = findMailProfile(sending, sendingProfile)
  const defaultDomain = resolveDefaultDomain(sending, publicUrl)
  const profileDomain = domainToASCII(profile?.from?.domain ?? defaultDomain)
  const requestedDomain =
    from.domain == null || isProfileDomainName(from.domain) ? profileDomain : domainToASCII(from.domain)
  const isVerified = sending.domains.some(({ domain, verified }) => verified && domain === requestedDomain)
  const isRefused = !isVerified && sending.unverifiedDomain === 'refuse'
  const isReplaced = !isVerified && !isRefused && requestedDomain !== defaultDomain
  const prefix = from.prefix ?? profile?.from?.prefix ?? 'news'
  const label = from.label ?? profile?.from?.label ?? null
  const trackingHost = profile?.trackingHost ?? null
  return {
    sender: {
      from: { prefix, domain: isReplaced ? defaultDomain : requestedDomain, label },
      profileDomain,
      reply: reply ?? profile?.reply ?? (isReplaced ? `${prefix}@${requestedDomain}` : null),
      bounceDomain: profile?.bounceDomain ?? defaultDomain,
      trackingUrl: trackingHost === null ? publicUrl : `https://${trackingHost}`,
    },
    errors: isRefused
      ? [buildSenderFlaw('sender', `The domain ${requestedDomain} is not verified: nothing is sent from it.`)]
      : [],
    findings: isReplaced
      ? [
          buildSenderFlaw(
            'domain-substituted',
            `The domain ${requestedDomain} is not verified, so messages are sent from ${defaultDomain} instead.`,
          ),
        ]
      : [],
  }
}
