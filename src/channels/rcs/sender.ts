import type { AccountSendingSettings } from '../../features/accounts/sending-settings-schemas.ts'
import type { ReportedFlaw } from '../../features/rendering/flaw-schemas.ts'
import type { ResolvedSender } from '../channel.ts'
import { resolveSmsSender } from '../sms/sender.ts'
import type { RcsSenderProfile, RcsVersionSettings } from '../version-source.ts'
import type { RcsFallback } from './content/content-schemas.ts'
import { RCS_FALLBACK_PART } from './content/parts.ts'

/** Of an action and its profile, what decides who its messages are from. */
export interface RcsSenderInput {
  profile: RcsSenderProfile
  purpose: { type: 'marketing' | 'service' }
  trafficType: RcsVersionSettings['trafficType']
  fallback: RcsFallback | null
}

const NO_FALLBACK: ReportedFlaw = {
  type: 'sender',
  message: 'The profile lets no action fall back on SMS: set its fallback, or leave out that of the action.',
  part: 'fallback',
  position: null,
}

/** The agent of a message, and the sender of the SMS it falls back on: the action's, else the profile's, else as of any SMS. */
export function resolveRcsSender(
  { profile, purpose, trafficType, fallback }: RcsSenderInput,
  sending: AccountSendingSettings,
  names: { named: string; publicUrl: string },
): ResolvedSender {
  const given = fallback?.sender ?? profile.fallback?.sender ?? null
  const settings = { sendingProfile: null, purpose, sender: given, smsFormat: 3 as const }
  const known = resolveSmsSender(settings, sending, names)
  // A name cannot be answered.
  const isName = /[A-Za-z]/.test(known.sms?.sender ?? '')
  const sms = resolveSmsSender({ ...settings, smsType: isName ? 2 : 1 }, sending, names)
  const errors = sms.errors.map((error) => ({ ...error, part: RCS_FALLBACK_PART }))
  return {
    sender: sms.sender,
    rcs: {
      profile: profile.id,
      agent: profile.agent,
      trafficType,
      ...(profile.country !== undefined && { country: profile.country }),
    },
    ...(fallback && sms.sms && { sms: sms.sms }),
    errors: fallback === null ? [] : [...(profile.fallback ? [] : [NO_FALLBACK]), ...errors],
    findings: [],
  }
}
