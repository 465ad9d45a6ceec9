import { valueAt } from '../../../components/form/pointers.ts'
import type { Text } from '../../../text/catalogue.ts'
import type { Format } from '../../../text/format.ts'
import type en from '../en.ts'
import type { Channel, Message, ScheduleType } from './channel.ts'

type Words = Text<typeof en>

/** When a campaign goes out, in words: "at 20 Mar 2026, 09:00 Europe/Paris". */
export function whenWords(channel: Channel, message: Message, t: Words, format: Format): string {
  const at = channel.schedulerAt
  const type = valueAt(message, `${at}/type`) as ScheduleType | undefined
  const start = valueAt(message, `${at}/startDate`)
  if (type === 'asap') return t('goesNow')
  if (type === 'cron') return t('goesAgain')
  if (typeof start !== 'string') return t('goesUnknown')
  if (type === 'timeZoneSchedule') return t('goesByContacts', { when: format.calendarDate(start) })
  if (type === 'bestTime') {
    const hours = Number(valueAt(message, `${at}/windowHours`) ?? 24)
    return t('goesAtBest', { when: format.dateTime(start), zone: format.zone, hours })
  }
  return t('goesAt', { when: format.dateTime(start), zone: format.zone })
}

/** How fast, in words; nothing where it goes as fast as gateways allow. */
export function paceWords(channel: Channel, message: Message, t: Words): string {
  const speed = valueAt(message, `${channel.schedulerAt}/speed`)
  return typeof speed === 'number' && speed > 0 ? t('goesAtPace', { speed }) : ''
}

/** Until when, in words. */
export function endWords(channel: Channel, message: Message, t: Words, format: Format): string {
  const end = valueAt(message, `${channel.schedulerAt}/endDate`)
  return typeof end === 'string' ? t('goesUntil', { when: format.dateTime(end), zone: format.zone }) : ''
}
