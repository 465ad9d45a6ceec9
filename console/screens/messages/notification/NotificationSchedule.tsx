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

const SCHEDULER_POINTER = '/task/scheduler'
const SCHEDULE_TYPES = ['asap', 'scheduled', 'cron'] as const
const CRON_DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const
/** A Monday. */
const SOME_MONDAY_MS = Date.UTC(2026, 0, 5)
const DAY_MS = 86_400_000

type Props = MessageContentProps<NotificationForm>
type CronSchedule = { minute: string; hour: string; dayOfWeek: string; timeZone: { id: string } }

const isOneNumber = (text: string): boolean => /^\d{1,2}$/.test(text)

/** The time of day, where both of its parts are one number. */
const formatTimeOfDay = ({ minute, hour }: CronSchedule): string =>
  isOneNumber(minute) && isOneNumber(hour) ? `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` : ''

const parseDays = (text: string): string[] =>
  text.split(',').filter((day) => (CRON_DAYS as readonly string[]).includes(day))

/** At a time of day, on some days of the week; whatever else cron can say is folded. */
function RecurringFields({ form, isReadOnly, cron }: Props & { cron: CronSchedule }) {
  const t = useTranslator(notificationTexts)
  const { tag } = useLocale()
  const { zone } = useLocaleFormat()
  const fieldProps = { form, isReadOnly }
  const weekdayFormat = new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' })
  const timeZones = [...new Set([cron.timeZone.id, zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  const hasTimeFault = NOTIFICATION_TIME_POINTERS.some((pointer) => form.faultAt(pointer) !== undefined)
  const changeCron = (change: Partial<CronSchedule>): void => form.set(SCHEDULER_POINTER, { ...cron, ...change })
  return (
    <>
      <TextInput
        type="time"
        maw={160}
        label={t('time')}
        readOnly={isReadOnly}
        value={formatTimeOfDay(cron)}
        onChange={({ currentTarget: { value } }) => {
          const [hour = '', minute = ''] = value.split(':')
          if (value !== '') changeCron({ hour: String(Number(hour)), minute: String(Number(minute)) })
        }}
      />
      <MultiSelect
        maw={560}
        clearable
        label={t('days')}
        description={t('daysWhy')}
        readOnly={isReadOnly}
        comboboxProps={{ shadow: 'none' }}
        data={CRON_DAYS.map((value, place) => ({
          value,
          label: weekdayFormat.format(SOME_MONDAY_MS + place * DAY_MS),
        }))}
        value={parseDays(cron.dayOfWeek)}
        onChange={(days) => changeCron({ dayOfWeek: CRON_DAYS.filter((day) => days.includes(day)).join(',') || '*' })}
      />
      <ChoiceField
        {...fieldProps}
        at={`${SCHEDULER_POINTER}/timeZone/id`}
        label={t('zone')}
        choices={timeZones.map((value) => ({ value, label: value }))}
      />
      <details className={styles['more']} {...(hasTimeFault && { open: true })}>
        <summary>{t('asCron')}</summary>
        <div>
          {CRON_FIELDS.map((member) => (
            <TextField key={member} {...fieldProps} at={`${SCHEDULER_POINTER}/${member}`} label={t(member)} />
          ))}
        </div>
      </details>
    </>
  )
}

/** Automatic sending of a notification to its segments: at once, at a date, or repeatedly. */
export function NotificationSchedule({ form, isReadOnly }: Props) {
  const t = useTranslator(notificationTexts)
  const { zone } = useLocaleFormat()
  const scheduler = form.value.task?.scheduler
  if (!scheduler) return <EmptyState title={t('onDemand')}>{t('onDemandWhen')}</EmptyState>
  const changeType = (type: string): void => {
    const defaultCron = { minute: '0', hour: '9', dayOfMonth: '*', month: '*', dayOfWeek: '*', timeZone: { id: zone } }
    form.set(SCHEDULER_POINTER, {
      type,
      ...(type === 'cron' && defaultCron),
      ...(type === 'scheduled' && { startDate: null }),
    })
  }
  return (
    <>
      <Radio.Group
        label={t('start')}
        value={scheduler.type}
        error={form.faultAt(`${SCHEDULER_POINTER}/type`)}
        onChange={changeType}
      >
        <Stack gap={8} mt={8}>
          {SCHEDULE_TYPES.map((value) => (
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
        <FormInstantField
          form={form}
          isReadOnly={isReadOnly}
          zone={zone}
          at={`${SCHEDULER_POINTER}/startDate`}
          label={t('startDate')}
          help={zone}
        />
      )}
      {scheduler.type === 'cron' && (
        <RecurringFields form={form} isReadOnly={isReadOnly} cron={scheduler as CronSchedule} />
      )}
    </>
  )
}
