import { Select, Switch, TagsInput } from '@mantine/core'
import { useContactFields, useSegments } from '../../../api/definitions.ts'
import { FieldGroup } from '../../../components/form/fields.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { type ApiImportFeature, setImportFeature } from '../mapping.ts'
import { findFormFeature, type ImportFormProps } from './document.ts'
import { importSettingsTexts } from './texts.ts'

/** Sets a feature; null takes it away. */
const createFeatureSetter =
  ({ form }: ImportFormProps) =>
  (type: ApiImportFeature['type'], feature: ApiImportFeature | null): void =>
    form.set('/features', setImportFeature(form.value.features, type, feature))

function SegmentFields(formProps: ImportFormProps) {
  const t = useTranslator(importSettingsTexts)
  const segmentList = useSegments().data ?? []
  const setFeature = createFeatureSetter(formProps)
  const segmentation = findFormFeature(formProps.form.value.features, 'segmentation')
  const changeSegment = (id: string | null): void =>
    setFeature('segmentation', id === null ? null : { type: 'segmentation', ...segmentation, segmentId: Number(id) })
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
        readOnly={formProps.isReadOnly}
        data={segmentList
          .filter(({ type }) => type === 'static')
          .map(({ id, name }) => ({ value: String(id), label: name }))}
        value={segmentation ? String(segmentation.segmentId) : null}
        onChange={changeSegment}
      />
      {segmentation && (
        <Switch
          label={t('onlyThese')}
          description={t('onlyTheseHelp')}
          disabled={formProps.isReadOnly}
          checked={segmentation.emptyExisitingSegment === true}
          onChange={(event) =>
            setFeature('segmentation', { ...segmentation, emptyExisitingSegment: event.currentTarget.checked })
          }
        />
      )}
    </FieldGroup>
  )
}

function ExistingContactFields(formProps: ImportFormProps) {
  const t = useTranslator(importSettingsTexts)
  const setFeature = createFeatureSetter(formProps)
  const databaseFeature = findFormFeature(formProps.form.value.features, 'database')
  const duplicateRules = findFormFeature(formProps.form.value.features, 'duplicate')?.rules ?? {}
  const duplicateRule = duplicateRules.last ? 'last' : duplicateRules.ignore ? 'ignore' : 'first'
  const updatesExisting = databaseFeature?.updateExisting !== false
  return (
    <FieldGroup title={t('known')}>
      <Switch
        label={t('updates')}
        description={t('updatesHelp')}
        disabled={formProps.isReadOnly}
        checked={updatesExisting}
        onChange={(event) =>
          setFeature('database', { type: 'database', ...databaseFeature, updateExisting: event.currentTarget.checked })
        }
      />
      {updatesExisting && (
        <Switch
          label={t('crushes')}
          description={t('crushesHelp')}
          disabled={formProps.isReadOnly}
          checked={databaseFeature?.crushData === true}
          onChange={(event) =>
            setFeature('database', { type: 'database', ...databaseFeature, crushData: event.currentTarget.checked })
          }
        />
      )}
      <Select
        maw={560}
        label={t('duplicates')}
        description={t('duplicatesHelp')}
        allowDeselect={false}
        readOnly={formProps.isReadOnly}
        data={(['first', 'last', 'ignore'] as const).map((value) => ({ value, label: t(`duplicate.${value}`) }))}
        value={duplicateRule}
        onChange={(value) => setFeature('duplicate', { type: 'duplicate', rules: { [value ?? 'first']: true } })}
      />
    </FieldGroup>
  )
}

function UnsubscribeFields(formProps: ImportFormProps) {
  const t = useTranslator(importSettingsTexts)
  const { mail = false, sms = false } = findFormFeature(formProps.form.value.features, 'redList')?.destination ?? {}
  const changeDestination = (destination: { mail: boolean; sms: boolean }): void =>
    createFeatureSetter(formProps)(
      'redList',
      destination.mail || destination.sms ? { type: 'redList', destination } : null,
    )
  return (
    <FieldGroup title={t('stops')}>
      <Switch
        label={t('stopsMail')}
        description={t('stopsHelp')}
        disabled={formProps.isReadOnly}
        checked={mail}
        onChange={(event) => changeDestination({ mail: event.currentTarget.checked, sms })}
      />
      <Switch
        label={t('stopsSms')}
        disabled={formProps.isReadOnly}
        checked={sms}
        onChange={(event) => changeDestination({ mail, sms: event.currentTarget.checked })}
      />
    </FieldGroup>
  )
}

function PhoneFields(formProps: ImportFormProps) {
  const t = useTranslator(importSettingsTexts)
  const phoneFields = (useContactFields().data ?? []).filter(({ type }) => type === 'phone')
  const countries = findFormFeature(formProps.form.value.features, 'normalization')?.fields ?? {}
  if (phoneFields.length === 0) return null
  const changeCountries = (field: number, codes: string[]): void => {
    const countryCodes: Record<string, string[]> = { ...countries, [field]: codes.map((code) => code.toUpperCase()) }
    const filledCodes = Object.fromEntries(Object.entries(countryCodes).filter(([, tried]) => tried.length > 0))
    const isEmpty = Object.keys(filledCodes).length === 0
    createFeatureSetter(formProps)('normalization', isEmpty ? null : { type: 'normalization', fields: filledCodes })
  }
  return (
    <FieldGroup title={t('phones')}>
      {phoneFields.map(({ id, name }) => (
        <TagsInput
          key={id}
          maw={560}
          label={t('countriesOf', { field: name })}
          description={t('countriesHelp')}
          readOnly={formProps.isReadOnly}
          value={countries[id] ?? []}
          onChange={(codes) => changeCountries(id, codes)}
        />
      ))}
    </FieldGroup>
  )
}

function ReportFields(formProps: ImportFormProps) {
  const t = useTranslator(importSettingsTexts)
  const reportFeature = findFormFeature(formProps.form.value.features, 'report')
  const { sendFinalReport = false, sendErrorReport = false } = reportFeature ?? {}
  const changeReport = (next: { sendFinalReport: boolean; sendErrorReport: boolean }): void => {
    const isEnabled = next.sendFinalReport || next.sendErrorReport
    createFeatureSetter(formProps)('report', isEnabled ? { type: 'report', ...reportFeature, ...next } : null)
  }
  return (
    <FieldGroup title={t('report')}>
      <Switch
        label={t('reportEnd')}
        description={t('reportHelp')}
        disabled={formProps.isReadOnly}
        checked={sendFinalReport}
        onChange={(event) => changeReport({ sendFinalReport: event.currentTarget.checked, sendErrorReport })}
      />
      <Switch
        label={t('reportErrors')}
        disabled={formProps.isReadOnly}
        checked={sendErrorReport}
        onChange={(event) => changeReport({ sendFinalReport, sendErrorReport: event.currentTarget.checked })}
      />
    </FieldGroup>
  )
}

/** Effects of a run in addition to writing contact fields. */
export function ImportEffectFields(formProps: ImportFormProps) {
  return (
    <>
      <SegmentFields {...formProps} />
      <ExistingContactFields {...formProps} />
      <PhoneFields {...formProps} />
      <UnsubscribeFields {...formProps} />
      <ReportFields {...formProps} />
    </>
  )
}
