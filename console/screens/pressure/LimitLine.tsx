import { Button, TextInput } from '@mantine/core'
import { ChoiceField, NumberField, SwitchField } from '../../components/form/fields.tsx'
import { MultiChoiceField } from '../../components/form/MultiChoiceField.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Pressure.module.css'
import { type ApiTopic, type RuleDocument, usePressureDescription } from './rule-words.ts'
import { pressureTexts } from './texts.ts'

const CHANNELS = ['email', 'sms', 'rcs', 'notification'] as const
const UNITS = ['HOUR', 'DAY', 'WEEK', 'MONTH'] as const
const UNIT_WORDS = { HOUR: 'hour', DAY: 'day', WEEK: 'week', MONTH: 'month' } as const
const QUIET = { from: '20:00', to: '08:00' }

interface Props {
  form: FormState<RuleDocument>
  place: number
  topics: readonly ApiTopic[]
  isReadOnly: boolean
}

function Window({ form, at, isReadOnly }: { form: FormState<RuleDocument>; at: string; isReadOnly: boolean }) {
  const t = useTranslator(pressureTexts)
  const limit = form.value.predicate.expressions[Number(at.split('/').at(-1))]
  const window = limit?.window
  return (
    <div className={styles['line']}>
      {window ? (
        <>
          {(['from', 'to'] as const).map((side) => (
            <TextInput
              key={side}
              type="time"
              w={130}
              label={t(side)}
              readOnly={isReadOnly}
              error={form.faultAt(`${at}/window/${side}`)}
              value={window[side]}
              onChange={(event) => form.set(`${at}/window/${side}`, event.currentTarget.value)}
            />
          ))}
          <Button variant="subtle" color="gray" onClick={() => form.set(`${at}/window`, null)}>
            {t('atAnyHour')}
          </Button>
        </>
      ) : (
        !isReadOnly && (
          <Button variant="subtle" size="compact-sm" px={0} onClick={() => form.set(`${at}/window`, QUIET)}>
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
  const at = `/predicate/expressions/${place}`
  const common = { form, isReadOnly }
  return (
    <section className={styles['limit']}>
      <p className={styles['words']}>{limitWords(limit)}</p>
      <div className={styles['line']}>
        <NumberField {...common} at={`${at}/count`} label={t('most')} min={0} max={1000} />
        <ChoiceField
          {...common}
          at={`${at}/period/type`}
          label={t('period')}
          choices={(['rolling', 'calendar'] as const).map((value) => ({ value, label: t(value) }))}
        />
        <NumberField {...common} at={`${at}/period/value`} label={t('howMany')} min={1} />
        <ChoiceField
          {...common}
          at={`${at}/period/unit`}
          label={t('unit')}
          choices={UNITS.map((value) => ({ value, label: t(UNIT_WORDS[value]) }))}
        />
      </div>
      <MultiChoiceField
        {...common}
        at={`${at}/channels`}
        label={t('channels')}
        help={t('channelsHelp')}
        choices={CHANNELS.map((value) => ({ value, label: t(value) }))}
      />
      {topics.length > 0 && (
        <MultiChoiceField
          {...common}
          at={`${at}/topics`}
          label={t('topics')}
          help={t('topicsHelp')}
          choices={topics.map(({ id, label }) => ({ value: id, label }))}
        />
      )}
      <MultiChoiceField
        {...common}
        at={`${at}/purposes`}
        label={t('purposes')}
        help={t('purposesHelp')}
        choices={(['marketing', 'service'] as const).map((value) => ({ value, label: t(value) }))}
      />
      <Window form={form} at={at} isReadOnly={isReadOnly} />
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

/** Whether the rule is applied. */
export function ActiveSwitch({ form, isReadOnly }: Pick<Props, 'form' | 'isReadOnly'>) {
  const t = useTranslator(pressureTexts)
  return <SwitchField form={form} at="/active" label={t('isActive')} help={t('activeHelp')} isReadOnly={isReadOnly} />
}
