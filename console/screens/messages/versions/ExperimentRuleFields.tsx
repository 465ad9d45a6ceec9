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

const DURATION_UNITS = Object.keys(EXPERIMENT_UNIT_MS) as (keyof typeof EXPERIMENT_UNIT_MS)[]
const METRICS = ['opens', 'clicks', 'link'] as const
type MetricKind = (typeof METRICS)[number]

const findMetricKind = (metric: ApiExperiment['metric']): MetricKind => (typeof metric === 'string' ? metric : 'link')

/** A link by its number in the message, or by its name. */
const parseLink = (text: string): number | string => (/^\d{1,9}$/.test(text) ? Number(text) : text)

/** Definition of a success: a reaction, or clicks on one link. */
function MetricFields({ channel, form, isReadOnly, experiment: { metric } }: Props) {
  const t = useTranslator(versionTexts)
  const metricPointer = `${EXPERIMENT_POINTER}/metric`
  const metricKinds = METRICS.filter((kind) => kind !== 'opens' || channel.versions?.hasOpens)
  const metricForm: FormState<EditedMessage> = {
    ...form,
    set: (_, kind) => form.set(metricPointer, kind === 'link' ? { link: 1 } : kind),
    value: { ...form.value, kind: findMetricKind(metric) } as EditedMessage,
    faultAt: () => form.faultAt(metricPointer),
  }
  return (
    <>
      <ChoiceField
        form={metricForm}
        isReadOnly={isReadOnly}
        at="/kind"
        label={t('metric')}
        help={t(`metricWhy_${findMetricKind(metric)}`)}
        choices={metricKinds.map((value) => ({ value, label: t(`metric_${value}`) }))}
      />
      {typeof metric !== 'string' && (
        <TextInput
          maw={320}
          label={t('link')}
          description={t('linkWhy')}
          error={form.faultAt(`${metricPointer}/link`)}
          readOnly={isReadOnly}
          value={String(metric.link)}
          onChange={(event) => form.set(`${metricPointer}/link`, parseLink(event.currentTarget.value))}
        />
      )}
    </>
  )
}

/** Rules of the experiment: holdout, metric, duration, and who decides. */
export function ExperimentRuleFields(props: Props) {
  const { form, isReadOnly } = props
  const t = useTranslator(versionTexts)
  const fieldProps = { form, isReadOnly }
  const at = EXPERIMENT_POINTER
  return (
    <FieldGroup title={t('rules')}>
      <MetricFields {...props} />
      <div className={styles['time']}>
        <NumberField
          {...fieldProps}
          min={1}
          at={`${at}/decideAfter/value`}
          label={t('decideAfter')}
          help={t('decideAfterWhy')}
        />
        <ChoiceField
          {...fieldProps}
          at={`${at}/decideAfter/unit`}
          label={t('unit')}
          choices={DURATION_UNITS.map((value) => ({ value, label: t(`unit_${value}`) }))}
        />
      </div>
      <ChoiceField
        {...fieldProps}
        at={`${at}/decide`}
        label={t('decide')}
        help={t(`decideWhy_${props.experiment.decide}`)}
        choices={(['auto', 'ask'] as const).map((value) => ({ value, label: t(`decide_${value}`) }))}
      />
      <NumberField
        {...fieldProps}
        min={10}
        max={100_000}
        at={`${at}/minimum`}
        label={t('minimum')}
        help={t('minimumWhy')}
      />
      <NumberField
        {...fieldProps}
        min={0}
        max={50}
        unit="%"
        at={`${at}/holdout`}
        label={t('holdout')}
        help={t('holdoutWhy')}
      />
    </FieldGroup>
  )
}
