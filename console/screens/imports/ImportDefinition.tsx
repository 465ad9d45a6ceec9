import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { FactList, type LabelledFact, PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { type ImportPreviewChoice, requestFilePreview, requestImportRun, uploadImportFile } from './calls.ts'
import { ImportEncodingField } from './ImportEncodingField.tsx'
import { ImportPreviewLines } from './ImportPreviewLines.tsx'
import { ImportSheetField } from './ImportSheetField.tsx'
import { ImportStatusFields } from './ImportStatusFields.tsx'
import styles from './ImportsPage.module.css'
import {
  type ApiImportFeature,
  type ApiImportPreview,
  findColumnField,
  type ImportTargetField,
  setImportFeature,
} from './mapping.ts'
import { importTexts } from './texts.ts'

const NEW_SEGMENT = 'new'
const VENDOR_NAMES = {
  mailchimp: 'Mailchimp',
  brevo: 'Brevo',
  sendgrid: 'SendGrid',
  mailjet: 'Mailjet',
  hubspot: 'HubSpot',
}

const stripFileExtension = (name: string): string => name.replace(/(?:\.tar)?\.[a-z]+$/i, '')

interface Props {
  file: File
  preview: ApiImportPreview
  fields: readonly ImportTargetField[]
}

/** Summary of the file contents. */
function FileSummary({
  file,
  preview,
  children,
}: Pick<Props, 'file' | 'preview'> & { children: ReactNode }): ReactNode {
  const { files, separator, sheet, vendor } = preview
  const t = useTranslator(importTexts)
  const format = useLocaleFormat()
  const shownSeparator = separator === 9 ? t('tab') : String.fromCharCode(separator)
  const summaryDetails: LabelledFact[] = [
    { key: 'file', label: t('file'), value: <bdi>{`${file.name}, ${format.bytes(file.size)}`}</bdi> },
    ...(vendor ? [{ key: 'vendor', label: t('vendor'), value: <strong>{VENDOR_NAMES[vendor]}</strong> }] : []),
    ...(sheet === null ? [{ key: 'separator', label: t('separator'), value: shownSeparator }] : []),
  ]
  const archiveNames = files.length > 1 && (
    <span title={files.join('\n')}>
      {t('archive', { count: files.length })}: <bdi>{format.list(files.slice(0, 5))}</bdi>
    </span>
  )
  return (
    <PagePanel title={t('summary')}>
      <FactList
        facts={
          archiveNames
            ? [...summaryDetails, { key: 'files', label: t('archive', { count: 2 }), value: archiveNames }]
            : summaryDetails
        }
      />
      {children}
    </PagePanel>
  )
}

function SegmentSelect({ value, onChange }: { value: string | null; onChange(value: string | null): void }) {
  const t = useTranslator(importTexts)
  const segmentsQuery = useQuery({
    queryKey: ['segments'],
    queryFn: ({ signal }) => apiClient.listSegments({ signal }),
  })
  const staticSegments = (segmentsQuery.data ?? []).filter(({ type }) => type === 'static')
  return (
    <Select
      label={t('addTo')}
      description={t('addToHelp')}
      clearable
      searchable
      clearButtonProps={{ 'aria-label': t('notRead') }}
      data={[
        { value: NEW_SEGMENT, label: t('newSegment') },
        ...staticSegments.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      value={value}
      onChange={onChange}
    />
  )
}

/** The features as they are sent: with the segment, which is made where it is a new one. */
async function completeFeatures(
  features: readonly ApiImportFeature[],
  segment: string | null,
  name: string,
): Promise<ApiImportFeature[]> {
  if (segment === null) return [...features]
  const createdSegment = segment === NEW_SEGMENT && (await apiClient.createSegment({ body: { type: 'static', name } }))
  const segmentId = createdSegment ? createdSegment.id : Number(segment)
  return setImportFeature(features, 'segmentation', { type: 'segmentation', segmentId })
}

interface ReadingChoiceProps {
  preview: ApiImportPreview
  isBusy: boolean
  onChange(previewChoice: ImportPreviewChoice): void
}

/** A choice of how the file is read: the encoding of a text, the sheet of a workbook. */
function ReadingChoice({ preview, isBusy, onChange }: ReadingChoiceProps): ReactNode {
  const { sheet, sheets } = preview
  if (sheet === null)
    return <ImportEncodingField preview={preview} isBusy={isBusy} onChange={(encoding) => onChange({ encoding })} />
  return (
    <ImportSheetField shown={sheet} sheets={sheets} isBusy={isBusy} onChange={(next) => onChange({ sheet: next })} />
  )
}

/** The treatment of contacts that exist already. */
function KnownContactsSelect({ keepsKnown, onChange }: { keepsKnown: boolean; onChange(keepsKnown: boolean): void }) {
  const t = useTranslator(importTexts)
  return (
    <Select
      label={t('existing')}
      allowDeselect={false}
      data={[
        { value: 'update', label: t('existingUpdate') },
        { value: 'keep', label: t('existingKeep') },
      ]}
      value={keepsKnown ? 'keep' : 'update'}
      onChange={(value) => onChange(value === 'keep')}
    />
  )
}

/** Definition of an import from a file: the detected mapping, which can be changed, and the check of the whole file. */
export function ImportDefinition({ file, preview: initialPreview, fields }: Props) {
  const t = useTranslator(importTexts)
  const format = useLocaleFormat()
  const navigate = useNavigate()
  const [name, setName] = useState(stripFileExtension(file.name))
  const [preview, setPreview] = useState(initialPreview)
  const [mappedFeatures, setFeatures] = useState<ApiImportFeature[]>(initialPreview.mapping.features)
  const [segment, setSegment] = useState<string | null>(null)
  const [keepsKnown, setKeepsKnown] = useState(false)
  const [isReading, setReading] = useState(false)
  const [requestError, setRequestError] = useState<unknown>(null)
  const createdImportId = useRef<number | null>(null)
  const keyFields = fields.filter(({ isUnicity }) => isUnicity)
  const hasKey = preview.columns.some((column) =>
    keyFields.some(({ id }) => id === findColumnField(mappedFeatures, column)),
  )
  const reloadPreview = async (previewChoice: ImportPreviewChoice): Promise<void> => {
    setReading(true)
    try {
      const nextPreview = await requestFilePreview(file, previewChoice)
      setPreview(nextPreview)
      setFeatures(nextPreview.mapping.features)
      setRequestError(null)
    } catch (caughtError) {
      setRequestError(caughtError)
    } finally {
      setReading(false)
    }
  }
  const checkImport = useAsyncAction(async () => {
    const updateFeature = keepsKnown ? { type: 'database' as const, updateExisting: false } : null
    const body = {
      name,
      features: setImportFeature(await completeFeatures(mappedFeatures, segment, name), 'database', updateFeature),
    }
    const buildPathParams = (id: number) => ({ path: { id: String(id) } })
    if (createdImportId.current === null) createdImportId.current = (await apiClient.createImport({ body })).id
    else await apiClient.updateImport({ ...buildPathParams(createdImportId.current), body })
    await uploadImportFile(createdImportId.current, file)
    const { id, import: of } = await requestImportRun(createdImportId.current, true)
    await navigate({ to: '/imports/$id', params: { id: String(of) }, search: { run: id } })
  })
  return (
    <form className={styles['page']} onSubmit={checkImport.submit}>
      <FileSummary file={file} preview={preview}>
        <ReadingChoice
          preview={preview}
          isBusy={isReading}
          onChange={(previewChoice) => void reloadPreview(previewChoice)}
        />
      </FileSummary>
      <PagePanel title={t('columns')}>
        <p className={styles['quiet']}>{t('columnsWhy')}</p>
        <ImportPreviewLines
          preview={preview}
          fields={fields}
          features={mappedFeatures}
          onChange={setFeatures}
          onError={setRequestError}
        />
        {requestError !== null && <ProblemAlert error={requestError} />}
        {!hasKey && (
          <p role="alert" className={styles['warn']}>
            {t('noKey', { fields: format.list(keyFields.map((field) => field.name)) })}
          </p>
        )}
      </PagePanel>
      <ImportStatusFields features={mappedFeatures} onChange={setFeatures} />
      <div className={styles['choices']}>
        <TextInput label={t('name')} required value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <SegmentSelect value={segment} onChange={setSegment} />
        <KnownContactsSelect keepsKnown={keepsKnown} onChange={setKeepsKnown} />
      </div>
      {checkImport.error !== null && <ProblemAlert error={checkImport.error} />}
      <div className={styles['check']}>
        <Button type="submit" loading={checkImport.isBusy} disabled={!hasKey || name.trim() === ''}>
          {t('check')}
        </Button>
        <span className={styles['quiet']}>{t('checkHelp')}</span>
      </div>
    </form>
  )
}
