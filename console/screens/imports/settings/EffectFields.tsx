import { Select, Switch, TagsInput } from '@mantine/core'
import { useFields, useSegments } from '../../../api/definitions.ts'
import { FieldGroup } from '../../../components/form/fields.tsx'
import { useText } from '../../../text/catalogue.ts'
import { type Feature, withFeature } from '../mapping.ts'
import { type Edited, featureOf } from './document.ts'
import { settingsTexts } from './texts.ts'

/** Sets a feature; null takes it away. */
const setter =
  ({ form }: Edited) =>
  (type: Feature['type'], feature: Feature | null): void =>
    form.set('/features', withFeature(form.value.features, type, feature))

function SegmentFields(own: Edited) {
  const t = useText(settingsTexts)
  const segments = useSegments().data ?? []
  const set = setter(own)
  const feature = featureOf(own.form.value.features, 'segmentation')
  const change = (id: string | null): void =>
    set('segmentation', id === null ? null : { type: 'segmentation', ...feature, segmentId: Number(id) })
  return (
    <FieldGroup title={t('segment')}>
      <Select
        maw={560}
        label={t('joins')}
        description={t('joinsHelp')}
        clearable
        searchable
        clearButtonProps={{ 'aria-label': t('none') }}
        placeholder={t('none')}
        readOnly={own.isReadOnly}
        data={segments
          .filter(({ type }) => type === 'static')
          .map(({ id, name }) => ({ value: String(id), label: name }))}
        value={feature ? String(feature.segmentId) : null}
        onChange={change}
      />
      {feature && (
        <Switch
          label={t('onlyThese')}
          description={t('onlyTheseHelp')}
          disabled={own.isReadOnly}
          checked={feature.emptyExisitingSegment === true}
          onChange={(event) => set('segmentation', { ...feature, emptyExisitingSegment: event.currentTarget.checked })}
        />
      )}
    </FieldGroup>
  )
}

function KnownFields(own: Edited) {
  const t = useText(settingsTexts)
  const set = setter(own)
  const database = featureOf(own.form.value.features, 'database')
  const rules = featureOf(own.form.value.features, 'duplicate')?.rules ?? {}
  const rule = rules.last ? 'last' : rules.ignore ? 'ignore' : 'first'
  const updates = database?.updateExisting !== false
  return (
    <FieldGroup title={t('known')}>
      <Switch
        label={t('updates')}
        description={t('updatesHelp')}
        disabled={own.isReadOnly}
        checked={updates}
        onChange={(event) =>
          set('database', { type: 'database', ...database, updateExisting: event.currentTarget.checked })
        }
      />
      {updates && (
        <Switch
          label={t('crushes')}
          description={t('crushesHelp')}
          disabled={own.isReadOnly}
          checked={database?.crushData === true}
          onChange={(event) =>
            set('database', { type: 'database', ...database, crushData: event.currentTarget.checked })
          }
        />
      )}
      <Select
        maw={560}
        label={t('duplicates')}
        description={t('duplicatesHelp')}
        allowDeselect={false}
        readOnly={own.isReadOnly}
        data={(['first', 'last', 'ignore'] as const).map((value) => ({ value, label: t(`duplicate.${value}`) }))}
        value={rule}
        onChange={(value) => set('duplicate', { type: 'duplicate', rules: { [value ?? 'first']: true } })}
      />
    </FieldGroup>
  )
}

function StopFields(own: Edited) {
  const t = useText(settingsTexts)
  const { mail = false, sms = false } = featureOf(own.form.value.features, 'redList')?.destination ?? {}
  const change = (destination: { mail: boolean; sms: boolean }): void =>
    setter(own)('redList', destination.mail || destination.sms ? { type: 'redList', destination } : null)
  return (
    <FieldGroup title={t('stops')}>
      <Switch
        label={t('stopsMail')}
        description={t('stopsHelp')}
        disabled={own.isReadOnly}
        checked={mail}
        onChange={(event) => change({ mail: event.currentTarget.checked, sms })}
      />
      <Switch
        label={t('stopsSms')}
        disabled={own.isReadOnly}
        checked={sms}
        onChange={(event) => change({ mail, sms: event.currentTarget.checked })}
      />
    </FieldGroup>
  )
}

function PhoneFields(own: Edited) {
  const t = useText(settingsTexts)
  const phones = (useFields().data ?? []).filter(({ type }) => type === 'phone')
  const countries = featureOf(own.form.value.features, 'normalization')?.fields ?? {}
  if (phones.length === 0) return null
  const change = (field: number, codes: string[]): void => {
    const fields: Record<string, string[]> = { ...countries, [field]: codes.map((code) => code.toUpperCase()) }
    const filled = Object.fromEntries(Object.entries(fields).filter(([, tried]) => tried.length > 0))
    const isEmpty = Object.keys(filled).length === 0
    setter(own)('normalization', isEmpty ? null : { type: 'normalization', fields: filled })
  }
  return (
    <FieldGroup title={t('phones')}>
      {phones.map(({ id, name }) => (
        <TagsInput
          key={id}
          maw={560}
          label={t('countriesOf', { field: name })}
          description={t('countriesHelp')}
          readOnly={own.isReadOnly}
          value={countries[id] ?? []}
          onChange={(codes) => change(id, codes)}
        />
      ))}
    </FieldGroup>
  )
}

function ReportFields(own: Edited) {
  const t = useText(settingsTexts)
  const report = featureOf(own.form.value.features, 'report')
  const { sendFinalReport = false, sendErrorReport = false } = report ?? {}
  const change = (next: { sendFinalReport: boolean; sendErrorReport: boolean }): void => {
    const isAsked = next.sendFinalReport || next.sendErrorReport
    setter(own)('report', isAsked ? { type: 'report', ...report, ...next } : null)
  }
  return (
    <FieldGroup title={t('report')}>
      <Switch
        label={t('reportEnd')}
        description={t('reportHelp')}
        disabled={own.isReadOnly}
        checked={sendFinalReport}
        onChange={(event) => change({ sendFinalReport: event.currentTarget.checked, sendErrorReport })}
      />
      <Switch
        label={t('reportErrors')}
        disabled={own.isReadOnly}
        checked={sendErrorReport}
        onChange={(event) => change({ sendFinalReport, sendErrorReport: event.currentTarget.checked })}
      />
    </FieldGroup>
  )
}

/** What a run does beside writing the fields of contacts. */
export function EffectFields(own: Edited) {
  return (
    <>
      <SegmentFields {...own} />
      <KnownFields {...own} />
      <PhoneFields {...own} />
      <StopFields {...own} />
      <ReportFields {...own} />
    </>
  )
}
