import { Select, Switch, TagsInput } from '@mantine/core'
import { useContactFields, useSegments } from '../../../api/definitions.ts'
import { FieldGroup } from '../../../components/form/fields.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { type ApiImportFeature, setImportFeature } from '../mapping.ts'
import { findFormFeature, type ImportFormProps } from './document.ts'
import { importSettingsTexts } from './texts.ts'

/** Sets a feature; null takes it away. */
const setter =
  ({ form }: ImportFormProps) =>
  (type: ApiImportFeature['type'], feature: ApiImportFeature | null): void =>
    form.set('/features', setImportFeature(form.value.features, type, feature))

function SegmentFields(own: ImportFormProps) {
  const t = useTranslator(importSettingsTexts)
  const segments = useSegments().data ?? []
  const set = setter(own)
  const feature = findFormFeature(own.form.value.features, 'segmentation')
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

function KnownFields(own: ImportFormProps) {
  const t = useTranslator(importSettingsTexts)
  const set = setter(own)
  const database = findFormFeature(own.form.value.features, 'database')
  const rules = findFormFeature(own.form.value.features, 'duplicate')?.rules ?? {}
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

function StopFields(own: ImportFormProps) {
  const t = useTranslator(importSettingsTexts)
  const { mail = false, sms = false } = findFormFeature(own.form.value.features, 'redList')?.destination ?? {}
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

function PhoneFields(own: ImportFormProps) {
  const t = useTranslator(importSettingsTexts)
  const phones = (useContactFields().data ?? []).filter(({ type }) => type === 'phone')
  const countries = findFormFeature(own.form.value.features, 'normalization')?.fields ?? {}
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

function ReportFields(own: ImportFormProps) {
  const t = useTranslator(importSettingsTexts)
  const report = findFormFeature(own.form.value.features, 'report')
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
export function ImportEffectFields(own: ImportFormProps) {
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
