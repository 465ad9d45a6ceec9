import { readPointerValue } from '../../../components/form/pointers.ts'
import type { Translator } from '../../../text/catalogue.ts'
import type { LocaleFormat } from '../../../text/format.ts'
import type en from '../en.ts'
import type { EditedMessage, MessageChannelSpec, MessageScheduleType } from './channel.ts'

type MessageTranslator = Translator<typeof en>

/** Formats the schedule of a campaign as text: "at 20 Mar 2026, 09:00 Europe/Paris". */
export function describeSchedule(
  channel: MessageChannelSpec,
  message: EditedMessage,
  t: MessageTranslator,
  format: LocaleFormat,
): string {
  const schedulerPointer = channel.schedulerAt
  const type = readPointerValue(message, `${schedulerPointer}/type`) as MessageScheduleType | undefined
  const scheduledStart = readPointerValue(message, `${schedulerPointer}/startDate`)
  if (type === 'asap') return t('goesNow')
  if (type === 'cron') return t('goesAgain')
  if (typeof scheduledStart !== 'string') return t('goesUnknown')
  if (type === 'timeZoneSchedule') return t('goesByContacts', { when: format.calendarDate(scheduledStart) })
  if (type === 'bestTime') {
    const bestTimeHours = Number(readPointerValue(message, `${schedulerPointer}/windowHours`) ?? 24)
    return t('goesAtBest', { when: format.dateTime(scheduledStart), zone: format.zone, hours: bestTimeHours })
  }
  return t('goesAt', { when: format.dateTime(scheduledStart), zone: format.zone })
}

/** Formats the sending speed as text; empty if only the gateways limit it. */
export function describePace(channel: MessageChannelSpec, message: EditedMessage, t: MessageTranslator): string {
  const hourlySpeed = readPointerValue(message, `${channel.schedulerAt}/speed`)
  return typeof hourlySpeed === 'number' && hourlySpeed > 0 ? t('goesAtPace', { speed: hourlySpeed }) : ''
}

/** Until when, in words. */
export function describeEnd(
  channel: MessageChannelSpec,
  message: EditedMessage,
  t: MessageTranslator,
  format: LocaleFormat,
): string {
  const scheduledEnd = readPointerValue(message, `${channel.schedulerAt}/endDate`)
  return typeof scheduledEnd === 'string'
    ? t('goesUntil', { when: format.dateTime(scheduledEnd), zone: format.zone })
    : ''
}
