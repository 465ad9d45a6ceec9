import { readPointerValue } from '../../components/form/pointers.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { useCurrentTime } from '../../text/present.ts'
import type { EditedMessage, MessageChannelSpec } from '../messages/write/channel.ts'
import { reviewTexts } from './texts.ts'

/** When a campaign goes once it is approved: "now", "Mon 30 Mar, 09:00 (Europe/Paris)"; empty for what is not a campaign. */
export function useDepartureLabel(channel: MessageChannelSpec | undefined, message: EditedMessage | undefined): string {
  const t = useTranslator(reviewTexts)
  const { dateTime, zone } = useLocaleFormat()
  const now = useCurrentTime()
  if (!channel || !message || !channel.isCampaign(message)) return ''
  const scheduleType = readPointerValue(message, `${channel.schedulerAt}/type`)
  const start = readPointerValue(message, `${channel.schedulerAt}/startDate`)
  if (scheduleType === 'cron') return t('onSchedule')
  if (scheduleType === 'asap' || typeof start !== 'string' || Date.parse(start) <= now) return t('now')
  return `${dateTime(start)} (${zone})`
}
