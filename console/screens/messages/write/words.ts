import { readPointerValue } from '../../../components/form/pointers.ts'
import type { Translator } from '../../../text/catalogue.ts'
import type { LocaleFormat } from '../../../text/format.ts'
import type en from '../en.ts'
import type { EditedMessage, MessageChannelSpec, MessageScheduleType } from './channel.ts'

type Words = Translator<typeof en>

/** When a campaign goes out, in words: "at 20 Mar 2026, 09:00 Europe/Paris". */
export function describeSchedule(
  channel: MessageChannelSpec,
  message: EditedMessage,
  t: Words,
  format: LocaleFormat,
): string {
  const at = channel.schedulerAt
  const type = readPointerValue(message, `${at}/type`) as MessageScheduleType | undefined
  const start = readPointerValue(message, `${at}/startDate`)
  if (type === 'asap') return t('goesNow')
  if (type === 'cron') return t('goesAgain')
  if (typeof start !== 'string') return t('goesUnknown')
  if (type === 'timeZoneSchedule') return t('goesByContacts', { when: format.calendarDate(start) })
  if (type === 'bestTime') {
    const hours = Number(readPointerValue(message, `${at}/windowHours`) ?? 24)
    return t('goesAtBest', { when: format.dateTime(start), zone: format.zone, hours })
  }
  return t('goesAt', { when: format.dateTime(start), zone: format.zone })
}

/** How fast, in words; nothing where it goes as fast as gateways allow. */
export function describePace(channel: MessageChannelSpec, message: EditedMessage, t: Words): string {
  const speed = readPointerValue(message, `${channel.schedulerAt}/speed`)
  return typeof speed === 'number' && speed > 0 ? t('goesAtPace', { speed }) : ''
}

/** Until when, in words. */
export function describeEnd(
  channel: MessageChannelSpec,
  message: EditedMessage,
  t: Words,
  format: LocaleFormat,
): string {
  const end = readPointerValue(message, `${channel.schedulerAt}/endDate`)
  return typeof end === 'string' ? t('goesUntil', { when: format.dateTime(end), zone: format.zone }) : ''
}
