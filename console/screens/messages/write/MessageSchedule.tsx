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
  /** Whose clock shows it. */
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

/** Of a sending by the clocks of its contacts: which field says where they are. */
function ZoneField({ form, at, isReadOnly }: { form: FormState<EditedMessage>; at: string; isReadOnly: boolean }) {
  const t = useTranslator(messageTexts)
  const fields = useContactFields()
  const choices = (fields.data ?? [])
    .filter(({ type }) => type === 'textField')
    .map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <ChoiceField
      {...{ form, at, choices, isReadOnly, isNumber: true, isClearable: true }}
      label={t('zoneField')}
      help={t('zoneFieldWhy')}
    />
  )
}

/** When it goes out, how fast, and until when. */
export function MessageSchedule({ channel, form, isReadOnly }: Props) {
  const t = useTranslator(messageTexts)
  const { zone } = useLocaleFormat()
  const at = channel.schedulerAt
  if (!channel.isCampaign(form.value)) return <EmptyState title={t('onDemand')}>{t('onDemandWhen')}</EmptyState>
  const type = readPointerValue(form.value, `${at}/type`) as MessageScheduleType
  // By the clocks of contacts the digits alone count: they are kept as if the clock were that of UTC.
  const hoursAt = `${at}/windowHours`
  const clock = type === 'timeZoneSchedule' ? 'UTC' : zone
  const isTried = findMessageExperiment(form.value) !== null
  const choose = (next: string): void => {
    form.set(`${at}/type`, next)
    if (next === 'bestTime' && readPointerValue(form.value, hoursAt) == null) form.set(hoursAt, BEST_TIME_HOURS)
  }
  return (
    <>
      <Radio.Group
        label={t('start')}
        value={type}
        readOnly={isReadOnly}
        onChange={choose}
        error={form.faultAt(`${at}/type`)}
      >
        <Stack gap={8} mt={8}>
          {channel.schedules.map((value) => (
            <Radio
              key={value}
              value={value}
              disabled={isReadOnly || (isTried && isScheduleExcluded(value))}
              label={t(`at_${value}`)}
              description={t(isTried && isScheduleExcluded(value) ? 'notWithVersions' : `atWhy_${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {type !== 'asap' && (
        <FormInstantField
          {...{ form, isReadOnly, zone: clock }}
          at={`${at}/startDate`}
          label={t('startDate')}
          help={type === 'timeZoneSchedule' ? t('clockOfContacts') : zone}
        />
      )}
      {type === 'bestTime' && (
        <>
          <NumberField
            {...{ form, isReadOnly, min: 1, max: BEST_TIME_HOURS }}
            at={hoursAt}
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
        <ZoneField {...{ form, isReadOnly }} at={`${at}/timeZoneField`} />
      )}
      <NumberField
        {...{ form, isReadOnly, min: 0 }}
        at={`${at}/speed`}
        label={t('speed')}
        help={t('speedWhy')}
        unit={t('perHour')}
      />
      <FormInstantField
        {...{ form, isReadOnly, zone }}
        at={`${at}/endDate`}
        label={t('endDate')}
        help={t('endDateWhy', { zone })}
      />
    </>
  )
}
