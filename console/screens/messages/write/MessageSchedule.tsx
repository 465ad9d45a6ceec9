import { Radio, Stack, TextInput } from '@mantine/core'
import { useContactFields } from '../../../api/definitions.ts'
import { ChoiceField, NumberField } from '../../../components/form/fields.tsx'
import { readPointerValue } from '../../../components/form/pointers.ts'
import type { FormState } from '../../../components/form/use-form.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { toUtcInstant, toZonedLocalTime } from '../../imports/settings/zoned.ts'
import { messageTexts } from '../texts.ts'
import { findMessageExperiment } from '../versions/experiment.ts'
import { isScheduleExcluded } from '../versions/obstacles.ts'
import type { EditedMessage, MessageChannelSpec, MessageScheduleType } from './channel.ts'

/** Hours that a best time is taken of: at most, and unless others are chosen. */
const BEST_TIME_HOURS = 24

interface Props {
  channel: MessageChannelSpec
  form: FormState<EditedMessage>
  isReadOnly: boolean
}

interface MomentProps<T> {
  form: FormState<T>
  at: string
  label: string
  help?: string
  /** Time zone in which the instant is shown. */
  zone: string
  isReadOnly: boolean
}

/** An instant, as the clock of a zone shows it. */
export function FormInstantField<T>({ form, at, label, help, zone, isReadOnly }: MomentProps<T>) {
  const value = readPointerValue(form.value, at)
  return (
    <TextInput
      type="datetime-local"
      maw={260}
      label={label}
      description={help}
      error={form.faultAt(at)}
      readOnly={isReadOnly}
      value={typeof value === 'string' ? toZonedLocalTime(value, zone) : ''}
      onChange={({ currentTarget }) =>
        form.set(at, currentTarget.value === '' ? null : toUtcInstant(currentTarget.value, zone))
      }
    />
  )
}

/** Field that contains the time zone of contacts, for sending in local time. */
function ZoneField({ form, at, isReadOnly }: { form: FormState<EditedMessage>; at: string; isReadOnly: boolean }) {
  const t = useTranslator(messageTexts)
  const contactFields = useContactFields()
  const zoneFieldChoices = (contactFields.data ?? [])
    .filter(({ type }) => type === 'textField')
    .map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <ChoiceField
      form={form}
      at={at}
      choices={zoneFieldChoices}
      isReadOnly={isReadOnly}
      isNumber
      isClearable
      label={t('zoneField')}
      help={t('zoneFieldWhy')}
    />
  )
}

/** Start, speed and end of the sending. */
export function MessageSchedule({ channel, form, isReadOnly }: Props) {
  const t = useTranslator(messageTexts)
  const { zone } = useLocaleFormat()
  const schedulerPointer = channel.schedulerAt
  if (!channel.isCampaign(form.value)) return <EmptyState title={t('onDemand')}>{t('onDemandWhen')}</EmptyState>
  const type = readPointerValue(form.value, `${schedulerPointer}/type`) as MessageScheduleType
  // By the clocks of contacts the digits alone count: they are kept as if the clock were that of UTC.
  const windowHoursPointer = `${schedulerPointer}/windowHours`
  const clock = type === 'timeZoneSchedule' ? 'UTC' : zone
  const hasExperiment = findMessageExperiment(form.value) !== null
  const changeType = (next: string): void => {
    form.set(`${schedulerPointer}/type`, next)
    if (next === 'bestTime' && readPointerValue(form.value, windowHoursPointer) == null)
      form.set(windowHoursPointer, BEST_TIME_HOURS)
  }
  return (
    <>
      <Radio.Group
        label={t('start')}
        value={type}
        readOnly={isReadOnly}
        onChange={changeType}
        error={form.faultAt(`${schedulerPointer}/type`)}
      >
        <Stack gap={8} mt={8}>
          {channel.schedules.map((value) => (
            <Radio
              key={value}
              value={value}
              disabled={isReadOnly || (hasExperiment && isScheduleExcluded(value))}
              label={t(`at_${value}`)}
              description={t(hasExperiment && isScheduleExcluded(value) ? 'notWithVersions' : `atWhy_${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {type !== 'asap' && (
        <FormInstantField
          form={form}
          isReadOnly={isReadOnly}
          zone={clock}
          at={`${schedulerPointer}/startDate`}
          label={t('startDate')}
          help={type === 'timeZoneSchedule' ? t('clockOfContacts') : zone}
        />
      )}
      {type === 'bestTime' && (
        <>
          <NumberField
            form={form}
            isReadOnly={isReadOnly}
            min={1}
            max={BEST_TIME_HOURS}
            at={windowHoursPointer}
            label={t('windowHours')}
            help={t('windowHoursWhy')}
          />
          <PagePanel title={t('bestTimeHow')}>
            <p style={{ maxWidth: '72ch' }}>{t('bestTimeWhy')}</p>
            <p style={{ maxWidth: '72ch' }}>{t('bestTimeUnknown')}</p>
          </PagePanel>
        </>
      )}
      {(type === 'timeZoneSchedule' || type === 'bestTime') && (
        <ZoneField form={form} isReadOnly={isReadOnly} at={`${schedulerPointer}/timeZoneField`} />
      )}
      <NumberField
        form={form}
        isReadOnly={isReadOnly}
        min={0}
        at={`${schedulerPointer}/speed`}
        label={t('speed')}
        help={t('speedWhy')}
        unit={t('perHour')}
      />
      <FormInstantField
        form={form}
        isReadOnly={isReadOnly}
        zone={zone}
        at={`${schedulerPointer}/endDate`}
        label={t('endDate')}
        help={t('endDateWhy', { zone })}
      />
    </>
  )
}
