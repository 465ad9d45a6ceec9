import type { AccountSendingSettings } from '../../features/accounts/sending-settings-schemas.ts'
import type { ReportedFlaw } from '../../features/rendering/flaw-schemas.ts'
import type { ResolvedSender } from '../channel.ts'
import { resolveSmsSender } from '../sms/sender.ts'
import type { RcsSenderProfile, RcsVersionSettings } from '../version-source.ts'
import type { RcsFallback } from './content/content-schemas.ts'
import { RCS_FALLBACK_PART } from './content/parts.ts'

/** Members of an action and its profile that determine the sender of its messages. */
export interface RcsSenderInput {
  profile: RcsSenderProfile
  purpose: { type: 'marketing' | 'service' }
  trafficType: RcsVersionSettings['trafficType']
  fallback: RcsFallback | null
}

const NO_FALLBACK_FLAW: ReportedFlaw = {
  type: 'sender',
  message: 'The profile does not allow SMS fallback. Set its fallback, or remove the fallback of the action.',
  part: 'fallback',
  position: null,
}

/** The agent of a message, and the sender of the SMS it falls back on: the action's, else the profile's, else as of any SMS. */
export function resolveRcsSender(
  { profile, purpose, trafficType, fallback }: RcsSenderInput,
  sending: AccountSendingSettings,
  names: { named: string; publicUrl: string },
): ResolvedSender {
  const requestedSender = fallback?.sender ?? profile.fallback?.sender ?? null
  const settings = { sendingProfile: null, purpose, sender: requestedSender, smsFormat: 3 as const }
  const smsSender = resolveSmsSender(settings, sending, names)
  // A name cannot be answered.
  const isAlphanumeric = /[A-Za-z]/.test(smsSender.sms?.sender ?? '')
  const sms = resolveSmsSender({ ...settings, smsType: isAlphanumeric ? 2 : 1 }, sending, names)
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
    errors: fallback === null ? [] : [...(profile.fallback ? [] : [NO_FALLBACK_FLAW]), ...errors],
    findings: [],
  }
}
