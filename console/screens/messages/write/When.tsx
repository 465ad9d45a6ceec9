import { Radio, Stack, TextInput } from '@mantine/core'
import { useFields } from '../../../api/definitions.ts'
import { ChoiceField, NumberField } from '../../../components/form/fields.tsx'
import { valueAt } from '../../../components/form/pointers.ts'
import type { Form } from '../../../components/form/use-form.ts'
import { Empty } from '../../../components/layout/Empty.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import { localOf, utcOf } from '../../imports/settings/zoned.ts'
import { messageTexts } from '../texts.ts'
import { experimentOf } from '../versions/experiment.ts'
import { isExcluded } from '../versions/obstacles.ts'
import type { Channel, Message, ScheduleType } from './channel.ts'

/** Hours that a best time is taken of: at most, and unless others are chosen. */
const BEST_TIME_HOURS = 24

interface Props {
  channel: Channel
  form: Form<Message>
  isReadOnly: boolean
}

interface MomentProps<T> {
  form: Form<T>
  at: string
  label: string
  help?: string
  /** Whose clock shows it. */
  zone: string
  isReadOnly: boolean
}

/** An instant, as the clock of a zone shows it. */
export function Moment<T>({ form, at, label, help, zone, isReadOnly }: MomentProps<T>) {
  const value = valueAt(form.value, at)
  return (
    <TextInput
      type="datetime-local"
      maw={260}
      label={label}
      description={help}
      error={form.faultAt(at)}
      readOnly={isReadOnly}
      value={typeof value === 'string' ? localOf(value, zone) : ''}
      onChange={({ currentTarget }) =>
        form.set(at, currentTarget.value === '' ? null : utcOf(currentTarget.value, zone))
      }
    />
  )
}

/** Of a sending by the clocks of its contacts: which field says where they are. */
function ZoneField({ form, at, isReadOnly }: { form: Form<Message>; at: string; isReadOnly: boolean }) {
  const t = useText(messageTexts)
  const fields = useFields()
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
export function When({ channel, form, isReadOnly }: Props) {
  const t = useText(messageTexts)
  const { zone } = useFormat()
  const at = channel.schedulerAt
  if (!channel.isCampaign(form.value)) return <Empty title={t('onDemand')}>{t('onDemandWhen')}</Empty>
  const type = valueAt(form.value, `${at}/type`) as ScheduleType
  // By the clocks of contacts the digits alone count: they are kept as if the clock were that of UTC.
  const hoursAt = `${at}/windowHours`
  const clock = type === 'timeZoneSchedule' ? 'UTC' : zone
  const isTried = experimentOf(form.value) !== null
  const choose = (next: string): void => {
    form.set(`${at}/type`, next)
    if (next === 'bestTime' && valueAt(form.value, hoursAt) == null) form.set(hoursAt, BEST_TIME_HOURS)
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
              disabled={isReadOnly || (isTried && isExcluded(value))}
              label={t(`at_${value}`)}
              description={t(isTried && isExcluded(value) ? 'notWithVersions' : `atWhy_${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {type !== 'asap' && (
        <Moment
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
          <Panel title={t('bestTimeHow')}>
            <p style={{ maxWidth: '72ch' }}>{t('bestTimeWhy')}</p>
            <p style={{ maxWidth: '72ch' }}>{t('bestTimeUnknown')}</p>
          </Panel>
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
      <Moment
        {...{ form, isReadOnly, zone }}
        at={`${at}/endDate`}
        label={t('endDate')}
        help={t('endDateWhy', { zone })}
      />
    </>
  )
}
