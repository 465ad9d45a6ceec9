import { MultiSelect, Radio, Stack, TextInput } from '@mantine/core'
import { ChoiceField, TextField } from '../../../components/form/fields.tsx'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { useLocale } from '../../../text/locale.ts'
import styles from '../phones/Phones.module.css'
import type { MessageContentProps } from '../write/channel.ts'
import { FormInstantField } from '../write/MessageSchedule.tsx'
import { CRON_FIELDS, NOTIFICATION_TIME_POINTERS, type NotificationForm } from './notification-kind.ts'
import { notificationTexts } from './texts.ts'

const AT = '/task/scheduler'
const TYPES = ['asap', 'scheduled', 'cron'] as const
const DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const
/** A Monday. */
const MONDAY = Date.UTC(2026, 0, 5)
const DAY_MS = 86_400_000

type Props = MessageContentProps<NotificationForm>
type Cron = { minute: string; hour: string; dayOfWeek: string; timeZone: { id: string } }

const isNumber = (text: string): boolean => /^\d{1,2}$/.test(text)

/** The time of day, where both of its parts are one number. */
const timeOf = ({ minute, hour }: Cron): string =>
  isNumber(minute) && isNumber(hour) ? `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` : ''

const daysOf = (text: string): string[] => text.split(',').filter((day) => (DAYS as readonly string[]).includes(day))

/** At a time of day, on some days of the week; whatever else cron can say is folded. */
function Again({ form, isReadOnly, cron }: Props & { cron: Cron }) {
  const t = useTranslator(notificationTexts)
  const { tag } = useLocale()
  const { zone } = useLocaleFormat()
  const own = { form, isReadOnly }
  const long = new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' })
  const zones = [...new Set([cron.timeZone.id, zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  const isFaulty = NOTIFICATION_TIME_POINTERS.some((pointer) => form.faultAt(pointer) !== undefined)
  const set = (change: Partial<Cron>): void => form.set(AT, { ...cron, ...change })
  return (
    <>
      <TextInput
        type="time"
        maw={160}
        label={t('time')}
        readOnly={isReadOnly}
        value={timeOf(cron)}
        onChange={({ currentTarget: { value } }) => {
          const [hour = '', minute = ''] = value.split(':')
          if (value !== '') set({ hour: String(Number(hour)), minute: String(Number(minute)) })
        }}
      />
      <MultiSelect
        maw={560}
        clearable
        label={t('days')}
        description={t('daysWhy')}
        readOnly={isReadOnly}
        comboboxProps={{ shadow: 'none' }}
        data={DAYS.map((value, place) => ({ value, label: long.format(MONDAY + place * DAY_MS) }))}
        value={daysOf(cron.dayOfWeek)}
        onChange={(days) => set({ dayOfWeek: DAYS.filter((day) => days.includes(day)).join(',') || '*' })}
      />
      <ChoiceField
        {...own}
        at={`${AT}/timeZone/id`}
        label={t('zone')}
        choices={zones.map((value) => ({ value, label: value }))}
      />
      <details className={styles['more']} {...(isFaulty && { open: true })}>
        <summary>{t('asCron')}</summary>
        <div>
          {CRON_FIELDS.map((member) => (
            <TextField key={member} {...own} at={`${AT}/${member}`} label={t(member)} />
          ))}
        </div>
      </details>
    </>
  )
}

/** When a notification goes to its segments by itself: at once, at a date, or again and again. */
export function NotificationSchedule({ form, isReadOnly }: Props) {
  const t = useTranslator(notificationTexts)
  const { zone } = useLocaleFormat()
  const scheduler = form.value.task?.scheduler
  if (!scheduler) return <EmptyState title={t('onDemand')}>{t('onDemandWhen')}</EmptyState>
  const begin = (type: string): void => {
    const fresh = { minute: '0', hour: '9', dayOfMonth: '*', month: '*', dayOfWeek: '*', timeZone: { id: zone } }
    form.set(AT, { type, ...(type === 'cron' && fresh), ...(type === 'scheduled' && { startDate: null }) })
  }
  return (
    <>
      <Radio.Group label={t('start')} value={scheduler.type} error={form.faultAt(`${AT}/type`)} onChange={begin}>
        <Stack gap={8} mt={8}>
          {TYPES.map((value) => (
            <Radio
              key={value}
              value={value}
              disabled={isReadOnly}
              label={t(`at_${value}`)}
              description={t(`atWhy_${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {scheduler.type === 'scheduled' && (
        <FormInstantField {...{ form, isReadOnly, zone }} at={`${AT}/startDate`} label={t('startDate')} help={zone} />
      )}
      {scheduler.type === 'cron' && <Again {...{ form, isReadOnly }} cron={scheduler as Cron} />}
    </>
  )
}
