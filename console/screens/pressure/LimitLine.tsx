import { Button, TextInput } from '@mantine/core'
import { ChoiceField, NumberField, SwitchField } from '../../components/form/fields.tsx'
import { MultiChoiceField } from '../../components/form/MultiChoiceField.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Pressure.module.css'
import { type ApiTopic, type RuleDocument, usePressureDescription } from './rule-words.ts'
import { pressureTexts } from './texts.ts'

const LIMIT_CHANNELS = ['email', 'sms', 'rcs', 'notification'] as const
const PERIOD_UNITS = ['HOUR', 'DAY', 'WEEK', 'MONTH'] as const
const UNIT_LABELS = { HOUR: 'hour', DAY: 'day', WEEK: 'week', MONTH: 'month' } as const
const DEFAULT_QUIET_HOURS = { from: '20:00', to: '08:00' }

interface Props {
  form: FormState<RuleDocument>
  place: number
  topics: readonly ApiTopic[]
  isReadOnly: boolean
}

function WindowFields({ form, at, isReadOnly }: { form: FormState<RuleDocument>; at: string; isReadOnly: boolean }) {
  const t = useTranslator(pressureTexts)
  const limit = form.value.predicate.expressions[Number(at.split('/').at(-1))]
  const timeWindow = limit?.window
  return (
    <div className={styles['line']}>
      {timeWindow ? (
        <>
          {(['from', 'to'] as const).map((side) => (
            <TextInput
              key={side}
              type="time"
              w={130}
              label={t(side)}
              readOnly={isReadOnly}
              error={form.faultAt(`${at}/window/${side}`)}
              value={timeWindow[side]}
              onChange={(event) => form.set(`${at}/window/${side}`, event.currentTarget.value)}
            />
          ))}
          <Button variant="subtle" color="gray" onClick={() => form.set(`${at}/window`, null)}>
            {t('atAnyHour')}
          </Button>
        </>
      ) : (
        !isReadOnly && (
          <Button
            variant="subtle"
            size="compact-sm"
            px={0}
            onClick={() => form.set(`${at}/window`, DEFAULT_QUIET_HOURS)}
          >
            {t('onlyAtHours')}
          </Button>
        )
      )}
    </div>
  )
}

/** One limit: how many, in which time, of which messages; in words above. */
export function LimitLine({ form, place, topics, isReadOnly }: Props) {
  const t = useTranslator(pressureTexts)
  const { limitWords } = usePressureDescription(topics)
  const { expressions } = form.value.predicate
  const limit = expressions[place]!
  const limitPointer = `/predicate/expressions/${place}`
  const fieldProps = { form, isReadOnly }
  return (
    <section className={styles['limit']}>
      <p className={styles['words']}>{limitWords(limit)}</p>
      <div className={styles['line']}>
        <NumberField {...fieldProps} at={`${limitPointer}/count`} label={t('most')} min={0} max={1000} />
        <ChoiceField
          {...fieldProps}
          at={`${limitPointer}/period/type`}
          label={t('period')}
          choices={(['rolling', 'calendar'] as const).map((value) => ({ value, label: t(value) }))}
        />
        <NumberField {...fieldProps} at={`${limitPointer}/period/value`} label={t('howMany')} min={1} />
        <ChoiceField
          {...fieldProps}
          at={`${limitPointer}/period/unit`}
          label={t('unit')}
          choices={PERIOD_UNITS.map((value) => ({ value, label: t(UNIT_LABELS[value]) }))}
        />
      </div>
      <MultiChoiceField
        {...fieldProps}
        at={`${limitPointer}/channels`}
        label={t('channels')}
        help={t('channelsHelp')}
        choices={LIMIT_CHANNELS.map((value) => ({ value, label: t(value) }))}
      />
      {topics.length > 0 && (
        <MultiChoiceField
          {...fieldProps}
          at={`${limitPointer}/topics`}
          label={t('topics')}
          help={t('topicsHelp')}
          choices={topics.map(({ id, label }) => ({ value: id, label }))}
        />
      )}
      <MultiChoiceField
        {...fieldProps}
        at={`${limitPointer}/purposes`}
        label={t('purposes')}
        help={t('purposesHelp')}
        choices={(['marketing', 'service'] as const).map((value) => ({ value, label: t(value) }))}
      />
      <WindowFields form={form} at={limitPointer} isReadOnly={isReadOnly} />
      {!isReadOnly && expressions.length > 1 && (
        <div>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            px={0}
            onClick={() => form.set('/predicate/expressions', expressions.toSpliced(place, 1))}
          >
            {t('removeLimit')}
          </Button>
        </div>
      )}
    </section>
  )
}

/** Switch that activates the rule. */
export function ActiveSwitch({ form, isReadOnly }: Pick<Props, 'form' | 'isReadOnly'>) {
  const t = useTranslator(pressureTexts)
  return <SwitchField form={form} at="/active" label={t('isActive')} help={t('activeHelp')} isReadOnly={isReadOnly} />
}
