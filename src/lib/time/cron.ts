import { Cron } from 'croner'

/** A repeating schedule, in fields of a cron line. */
export interface CronFields {
  minute: string
  hour: string
  dayOfMonth: string
  month: string
  dayOfWeek: string
}

export const cronFieldNames = [
  'minute',
  'hour',
  'dayOfMonth',
  'month',
  'dayOfWeek',
] as const satisfies (keyof CronFields)[]

export const EVERY_MINUTE_CRON: CronFields = { minute: '*', hour: '*', dayOfMonth: '*', month: '*', dayOfWeek: '*' }

/** The text of a field between commas; the parser decides which words and numbers are valid. */
const FIELD_ITEM = /^(?:[*?]|[0-9]{1,2}|[A-Z]{3}|(?:[0-9]{1,2}|[A-Z]{3})-(?:[0-9]{1,2}|[A-Z]{3}))(?:\/[1-9][0-9]?)?$/i
/** A step needs something to step through. */
const BARE_STEP = /^[0-9A-Z]+\//i
const LAST_DAY = /^L$/i

function buildCronLine({ minute, hour, dayOfMonth, month, dayOfWeek }: CronFields): string {
  return [minute, hour, dayOfMonth, month, dayOfWeek].map((field) => field.replaceAll('?', '*')).join(' ')
}

function isReadableField(name: keyof CronFields, text: string): boolean {
  const items = text.split(',')
  const isItem = (item: string) =>
    (FIELD_ITEM.test(item) && !BARE_STEP.test(item)) || (name === 'dayOfMonth' && LAST_DAY.test(item))
  if (!items.every(isItem)) return false
  try {
    new Cron(buildCronLine({ ...EVERY_MINUTE_CRON, [name]: text }), { mode: '5-part', paused: true })
    return true
  } catch {
    return false
  }
}

/** The fields that cannot be read. */
export function findInvalidCronFields(fields: CronFields): (keyof CronFields)[] {
  return cronFieldNames.filter((name) => !isReadableField(name, fields[name]))
}
