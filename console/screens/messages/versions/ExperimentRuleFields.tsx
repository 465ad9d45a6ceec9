import { TextInput } from '@mantine/core'
import { ChoiceField, FieldGroup, NumberField } from '../../../components/form/fields.tsx'
import type { FormState } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import type { EditedMessage, MessageChannelSpec } from '../write/channel.ts'
import { type ApiExperiment, EXPERIMENT_POINTER, EXPERIMENT_UNIT_MS } from './experiment.ts'
import styles from './MessageVersions.module.css'
import { versionTexts } from './texts.ts'

interface Props {
  channel: MessageChannelSpec
  form: FormState<EditedMessage>
  isReadOnly: boolean
  experiment: ApiExperiment
}

const UNITS = Object.keys(EXPERIMENT_UNIT_MS) as (keyof typeof EXPERIMENT_UNIT_MS)[]
const METRICS = ['opens', 'clicks', 'link'] as const
type Kind = (typeof METRICS)[number]

const kindOf = (metric: ApiExperiment['metric']): Kind => (typeof metric === 'string' ? metric : 'link')

/** A link by its number in the message, or by its name. */
const linkOf = (text: string): number | string => (/^\d{1,9}$/.test(text) ? Number(text) : text)

/** What counts as a success: a reaction, or the clicks on one link. */
function Metric({ channel, form, isReadOnly, experiment: { metric } }: Props) {
  const t = useTranslator(versionTexts)
  const at = `${EXPERIMENT_POINTER}/metric`
  const kinds = METRICS.filter((kind) => kind !== 'opens' || channel.versions?.hasOpens)
  const chosen: FormState<EditedMessage> = {
    ...form,
    set: (_, kind) => form.set(at, kind === 'link' ? { link: 1 } : kind),
    value: { ...form.value, kind: kindOf(metric) } as EditedMessage,
    faultAt: () => form.faultAt(at),
  }
  return (
    <>
      <ChoiceField
        {...{ form: chosen, isReadOnly }}
        at="/kind"
        label={t('metric')}
        help={t(`metricWhy_${kindOf(metric)}`)}
        choices={kinds.map((value) => ({ value, label: t(`metric_${value}`) }))}
      />
      {typeof metric !== 'string' && (
        <TextInput
          maw={320}
          label={t('link')}
          description={t('linkWhy')}
          error={form.faultAt(`${at}/link`)}
          readOnly={isReadOnly}
          value={String(metric.link)}
          onChange={(event) => form.set(`${at}/link`, linkOf(event.currentTarget.value))}
        />
      )}
    </>
  )
}

/** Who is held out, what is compared, for how long, and who decides. */
export function ExperimentRuleFields(props: Props) {
  const { form, isReadOnly } = props
  const t = useTranslator(versionTexts)
  const own = { form, isReadOnly }
  const at = EXPERIMENT_POINTER
  return (
    <FieldGroup title={t('rules')}>
      <Metric {...props} />
      <div className={styles['time']}>
        <NumberField
          {...own}
          min={1}
          at={`${at}/decideAfter/value`}
          label={t('decideAfter')}
          help={t('decideAfterWhy')}
        />
        <ChoiceField
          {...own}
          at={`${at}/decideAfter/unit`}
          label={t('unit')}
          choices={UNITS.map((value) => ({ value, label: t(`unit_${value}`) }))}
        />
      </div>
      <ChoiceField
        {...own}
        at={`${at}/decide`}
        label={t('decide')}
        help={t(`decideWhy_${props.experiment.decide}`)}
        choices={(['auto', 'ask'] as const).map((value) => ({ value, label: t(`decide_${value}`) }))}
      />
      <NumberField {...own} min={10} max={100_000} at={`${at}/minimum`} label={t('minimum')} help={t('minimumWhy')} />
      <NumberField
        {...own}
        {...{ min: 0, max: 50, unit: '%' }}
        at={`${at}/holdout`}
        label={t('holdout')}
        help={t('holdoutWhy')}
      />
    </FieldGroup>
  )
}
