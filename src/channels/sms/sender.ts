import type { AccountSendingSettings } from '../../features/accounts/sending-settings-schemas.ts'
import type { ReportedFlaw } from '../../features/rendering/flaw-schemas.ts'
import type { AuthoredSettings } from '../authored.ts'
import type { ResolvedSender } from '../channel.ts'

/** Maximum number of characters of a sender name (3GPP TS 23.040, 9.1.2.5). */
const MAX_NAME_LENGTH = 11

const MISSING_MENTION_FLAW: ReportedFlaw = {
  type: 'stop-mention',
  message:
    'The text must contain the STOP mention of the account, but the account has none. Set stopMention in /settings/sending.',
  part: 'textContent',
  position: null,
}

function findSmsProfile({ profiles }: AccountSendingSettings, id: number | null) {
  const smsProfiles = profiles.filter(({ channel }) => channel === 'sms')
  return smsProfiles.find((profile) => profile.id === id) ?? smsProfiles.find((profile) => profile.default)
}

/** Marketing messages must say how to unsubscribe if recipients cannot reply, or always if the account requires it. */
function mustMentionStop({ purpose, smsType }: AuthoredSettings, { stopOnStandard }: AccountSendingSettings): boolean {
  return purpose.type === 'marketing' && (smsType === 2 || stopOnStandard)
}

/**
 * The sender of an SMS: the action's, else its profile's, else the name of the account. `named` is that name, letters
 * and digits; `publicUrl` is where links are without a host for them.
 */
export function resolveSmsSender(
  settings: AuthoredSettings,
  sending: AccountSendingSettings,
  { named: defaultName, publicUrl }: { named: string; publicUrl: string },
): ResolvedSender {
  const profile = findSmsProfile(sending, settings.sendingProfile ?? null)
  const trackingHost = profile?.trackingHost ?? null
  const isMentionNeeded = mustMentionStop(settings, sending)
  return {
    // Of what an e-mail's sender has, an SMS has the place of its links alone.
    sender: {
      from: { prefix: '', domain: '', label: null },
      reply: null,
      bounceDomain: '',
      trackingUrl: trackingHost === null ? publicUrl : `https://${trackingHost}`,
    },
    sms: {
      format: settings.smsFormat ?? 3,
      countries: settings.countries ?? [],
      sender: settings.sender ?? profile?.sender ?? defaultName.slice(0, MAX_NAME_LENGTH),
      stopMention: isMentionNeeded ? sending.stopMention : null,
    },
    errors: isMentionNeeded && sending.stopMention === null ? [MISSING_MENTION_FLAW] : [],
    findings: [],
  }
}
