import { Chip, Group, Input, MultiSelect, Switch, TextInput } from '@mantine/core'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { ChoiceField, FieldGroup, NumberField, SwitchField } from '../../../components/form/fields.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import type { ImportFormProps } from './document.ts'
import styles from './Settings.module.css'
import { blankSchedulerForm, type SchedulerForm, useScheduleDescription, useWeekdayNames } from './schedule.ts'
import { importSettingsTexts } from './texts.ts'

const DEFAULT_INTERVAL_MINUTES = 60

interface SchedulerFieldProps extends ImportFormProps {
  scheduler: SchedulerForm
}

/** A time of the clock in the zone of the schedule. */
function ClockField({
  form,
  isReadOnly,
  at,
  type,
  label,
}: ImportFormProps & { at: string; type: string; label: string }) {
  const value = form.value.scheduler?.[at as keyof SchedulerForm]
  const pointer = `/scheduler/${at === 'at' ? 'startDate' : at === 'time' ? 'frequency' : `validity/${at}`}`
  return (
    <TextInput
      w={220}
      type={type}
      label={label}
      readOnly={isReadOnly}
      error={form.faultAt(pointer)}
      value={String(value ?? '')}
      onChange={(event) => form.set(`/scheduler/${at}`, event.currentTarget.value)}
    />
  )
}

function DayFields({ form, isReadOnly, scheduler }: SchedulerFieldProps) {
  const t = useTranslator(importSettingsTexts)
  const weekdayNames = useWeekdayNames()
  if (scheduler.occurs === 'weekly')
    return (
      <Input.Wrapper
        label={t('weekdays')}
        error={form.faultAt('/scheduler/frequency/occurs/days')}
        component="fieldset"
      >
        <Chip.Group
          multiple
          value={scheduler.weekdays}
          onChange={(next) => !isReadOnly && form.set('/scheduler/weekdays', next)}
        >
          <Group gap={6} mt={4}>
            {weekdayNames.map(({ value, label }) => (
              <Chip key={value} value={value} size="xs">
                {label}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Input.Wrapper>
    )
  return (
    <MultiSelect
      maw={560}
      label={t('monthDays')}
      description={t('monthDaysHelp')}
      readOnly={isReadOnly}
      error={form.faultAt('/scheduler/frequency/occurs/days')}
      data={Array.from({ length: 31 }, (_, day) => String(day + 1))}
      value={scheduler.monthDays.map(String)}
      onChange={(next) =>
        form.set(
          '/scheduler/monthDays',
          next.map(Number).toSorted((a, b) => a - b),
        )
      }
    />
  )
}

function PeriodicFields(props: SchedulerFieldProps) {
  const t = useTranslator(importSettingsTexts)
  const { form, isReadOnly, scheduler } = props
  const fieldProps = { form, isReadOnly }
  const recurrenceChoices = (['daily', 'weekly', 'monthly'] as const).map((value) => ({ value, label: t(value) }))
  return (
    <>
      <ChoiceField {...fieldProps} at="/scheduler/occurs" label={t('occurs')} choices={recurrenceChoices} />
      {scheduler.occurs !== 'daily' && <DayFields {...props} />}
      <Switch
        label={t('isOften')}
        disabled={isReadOnly}
        checked={scheduler.minutes !== null}
        onChange={(event) =>
          form.set('/scheduler/minutes', event.currentTarget.checked ? DEFAULT_INTERVAL_MINUTES : null)
        }
      />
      <div className={styles['pair']}>
        {scheduler.minutes === null ? (
          <ClockField {...fieldProps} at="time" type="time" label={t('time')} />
        ) : (
          <NumberField
            {...fieldProps}
            at="/scheduler/minutes"
            label={t('apart')}
            unit={t('minutes')}
            min={1}
            max={1440}
          />
        )}
      </div>
      <div className={styles['pair']}>
        <ClockField {...fieldProps} at="start" type="datetime-local" label={t('start')} />
        <ClockField {...fieldProps} at="end" type="datetime-local" label={t('end')} />
      </div>
    </>
  )
}

function ScheduledFields({ scheduler, ...formProps }: SchedulerFieldProps) {
  const t = useTranslator(importSettingsTexts)
  const describeSchedule = useScheduleDescription()
  const { zone } = useLocaleFormat()
  const scheduleTypes = (['periodic', 'scheduled'] as const).map((value) => ({ value, label: t(value) }))
  const timeZones = [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  const isNextRunKnown =
    scheduler.nextDate !== null && !formProps.form.changes.some((at) => at.startsWith('/scheduler'))
  return (
    <>
      <p className={styles['words']}>
        {describeSchedule(scheduler)}
        {isNextRunKnown && (
          <small>
            {t('next')} <FormattedTime at={scheduler.nextDate!} as="moment" />
          </small>
        )}
      </p>
      <ChoiceField {...formProps} at="/scheduler/type" label={t('scheduleType')} choices={scheduleTypes} />
      {scheduler.type === 'scheduled' ? (
        <ClockField {...formProps} at="at" type="datetime-local" label={t('moment')} />
      ) : (
        <PeriodicFields {...formProps} scheduler={scheduler} />
      )}
      <ChoiceField
        {...formProps}
        isClearable
        at="/scheduler/timeZone"
        label={t('zone')}
        help={t('zoneHelp', { zone })}
        choices={timeZones.map((value) => ({ value, label: value }))}
      />
      <SwitchField {...formProps} at="/scheduler/enabled" label={t('enabled')} help={t('enabledHelp')} />
    </>
  )
}

/** Schedule of an import: its description, and the fields to change it. */
export function ImportScheduleFields(formProps: ImportFormProps) {
  const t = useTranslator(importSettingsTexts)
  const { form, isReadOnly } = formProps
  const { scheduler, source } = form.value
  return (
    <FieldGroup title={t('schedule')}>
      <Switch
        label={t('byItself')}
        description={t(source.type === 'ftp' ? 'byItselfPull' : 'byItselfFile')}
        disabled={isReadOnly}
        error={form.faultAt('/scheduler')}
        checked={scheduler !== null}
        onChange={(event) => form.set('/scheduler', event.currentTarget.checked ? blankSchedulerForm : null)}
      />
      {scheduler !== null && <ScheduledFields {...formProps} scheduler={scheduler} />}
    </FieldGroup>
  )
}
