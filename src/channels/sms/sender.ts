import type { AccountSendingSettings } from '../../features/accounts/sending-settings-schemas.ts'
import type { ReportedFlaw } from '../../features/rendering/flaw-schemas.ts'
import type { AuthoredSettings } from '../authored.ts'
import type { ResolvedSender } from '../channel.ts'

/** Names may have so many characters (3GPP TS 23.040, 9.1.2.5). */
const NAME_LENGTH = 11

const NO_MENTION: ReportedFlaw = {
  type: 'stop-mention',
  message: 'The text must hold the STOP mention of the account, which has none: set stopMention in /settings/sending.',
  part: 'textContent',
  position: null,
}

function profileOf({ profiles }: AccountSendingSettings, id: number | null) {
  const own = profiles.filter(({ channel }) => channel === 'sms')
  return own.find((profile) => profile.id === id) ?? own.find((profile) => profile.default)
}

/** Marketing that cannot be answered, or all of it where the account says so, says how to stop it (actions.md 1.3). */
function needsMention({ purpose, smsType }: AuthoredSettings, { stopOnStandard }: AccountSendingSettings): boolean {
  return purpose.type === 'marketing' && (smsType === 2 || stopOnStandard)
}

/**
 * The sender of an SMS: the action's, else its profile's, else the name of the account. `named` is that name, letters
 * and digits; `publicUrl` is where links are without a host for them.
 */
export function resolveSmsSender(
  settings: AuthoredSettings,
  sending: AccountSendingSettings,
  { named, publicUrl }: { named: string; publicUrl: string },
): ResolvedSender {
  const profile = profileOf(sending, settings.sendingProfile ?? null)
  const trackingHost = profile?.trackingHost ?? null
  const isMentionNeeded = needsMention(settings, sending)
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
      sender: settings.sender ?? profile?.sender ?? named.slice(0, NAME_LENGTH),
      stopMention: isMentionNeeded ? sending.stopMention : null,
    },
    errors: isMentionNeeded && sending.stopMention === null ? [NO_MENTION] : [],
    findings: [],
  }
}
