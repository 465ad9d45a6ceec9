import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
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

const NEW = 'new'
const vendors = { mailchimp: 'Mailchimp', brevo: 'Brevo', sendgrid: 'SendGrid', mailjet: 'Mailjet', hubspot: 'HubSpot' }

const plainName = (name: string): string => name.replace(/(?:\.tar)?\.[a-z]+$/i, '')

interface Props {
  file: File
  preview: ApiImportPreview
  fields: readonly ImportTargetField[]
}

/** What was read of a file, in words. */
function Read({ file, preview, children }: Pick<Props, 'file' | 'preview'> & { children: ReactNode }): ReactNode {
  const { files, separator, sheet, vendor } = preview
  const t = useTranslator(importTexts)
  const format = useLocaleFormat()
  const shownSeparator = separator === 9 ? t('tab') : String.fromCharCode(separator)
  const facts: LabelledFact[] = [
    { key: 'file', label: t('file'), value: <bdi>{`${file.name}, ${format.bytes(file.size)}`}</bdi> },
    ...(vendor ? [{ key: 'vendor', label: t('vendor'), value: <strong>{vendors[vendor]}</strong> }] : []),
    ...(sheet === null ? [{ key: 'separator', label: t('separator'), value: shownSeparator }] : []),
  ]
  const names = files.length > 1 && (
    <span title={files.join('\n')}>
      {t('archive', { count: files.length })}: <bdi>{format.list(files.slice(0, 5))}</bdi>
    </span>
  )
  return (
    <PagePanel title={t('summary')}>
      <FactList facts={names ? [...facts, { key: 'files', label: t('archive', { count: 2 }), value: names }] : facts} />
      {children}
    </PagePanel>
  )
}

function SegmentChoice({ value, onChange }: { value: string | null; onChange(value: string | null): void }) {
  const t = useTranslator(importTexts)
  const segments = useQuery({
    queryKey: ['segments'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/segments', { signal })),
  })
  const statics = (segments.data ?? []).filter(({ type }) => type === 'static')
  return (
    <Select
      label={t('addTo')}
      description={t('addToHelp')}
      clearable
      searchable
      clearButtonProps={{ 'aria-label': t('notRead') }}
      data={[
        { value: NEW, label: t('newSegment') },
        ...statics.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      value={value}
      onChange={onChange}
    />
  )
}

/** The features as they are sent: with the segment, which is made where it is a new one. */
async function completed(
  features: readonly ApiImportFeature[],
  segment: string | null,
  name: string,
): Promise<ApiImportFeature[]> {
  if (segment === null) return [...features]
  const made = segment === NEW && (await readAnswer(apiClient.POST('/segments', { body: { type: 'static', name } })))
  const segmentId = made ? made.id : Number(segment)
  return setImportFeature(features, 'segmentation', { type: 'segmentation', segmentId })
}

interface ReadingProps {
  preview: ApiImportPreview
  isBusy: boolean
  onChange(chosen: ImportPreviewChoice): void
}

/** A choice of how the file is read: the encoding of a text, the sheet of a workbook. */
function Reading({ preview, isBusy, onChange }: ReadingProps): ReactNode {
  const { sheet, sheets } = preview
  if (sheet === null)
    return <ImportEncodingField {...{ preview, isBusy }} onChange={(encoding) => onChange({ encoding })} />
  return <ImportSheetField shown={sheet} {...{ sheets, isBusy }} onChange={(next) => onChange({ sheet: next })} />
}

/** What a file becomes: the mapping as it was guessed, to be changed, and the check of all of it. */
export function ImportDefinition({ file, preview: found, fields }: Props) {
  const t = useTranslator(importTexts)
  const format = useLocaleFormat()
  const navigate = useNavigate()
  const [name, setName] = useState(plainName(file.name))
  const [preview, setPreview] = useState(found)
  const [features, setFeatures] = useState<ApiImportFeature[]>(found.mapping.features)
  const [segment, setSegment] = useState<string | null>(null)
  const [keepsKnown, setKeepsKnown] = useState(false)
  const [isReading, setReading] = useState(false)
  const [fault, setFault] = useState<unknown>(null)
  const made = useRef<number | null>(null)
  const keys = fields.filter(({ isUnicity }) => isUnicity)
  const hasKey = preview.columns.some((column) => keys.some(({ id }) => id === findColumnField(features, column)))
  const reread = async (chosen: ImportPreviewChoice): Promise<void> => {
    setReading(true)
    try {
      const next = await requestFilePreview(file, chosen)
      setPreview(next)
      setFeatures(next.mapping.features)
      setFault(null)
    } catch (thrown) {
      setFault(thrown)
    } finally {
      setReading(false)
    }
  }
  const check = useAsyncAction(async () => {
    const update = keepsKnown ? { type: 'database' as const, updateExisting: false } : null
    const body = { name, features: setImportFeature(await completed(features, segment, name), 'database', update) }
    const params = (id: number) => ({ path: { id: String(id) } })
    if (made.current === null) made.current = (await readAnswer(apiClient.POST('/imports', { body }))).id
    else await apiClient.PUT('/imports/{id}', { params: params(made.current), body })
    await uploadImportFile(made.current, file)
    const { id, import: of } = await requestImportRun(made.current, true)
    await navigate({ to: '/imports/$id', params: { id: String(of) }, search: { run: id } })
  })
  return (
    <form className={styles['page']} onSubmit={check.submit}>
      <Read file={file} preview={preview}>
        <Reading preview={preview} isBusy={isReading} onChange={(chosen) => void reread(chosen)} />
      </Read>
      <PagePanel title={t('columns')}>
        <p className={styles['quiet']}>{t('columnsWhy')}</p>
        <ImportPreviewLines {...{ preview, fields, features }} onChange={setFeatures} onError={setFault} />
        {fault !== null && <ProblemAlert error={fault} />}
        {!hasKey && (
          <p role="alert" className={styles['warn']}>
            {t('noKey', { fields: format.list(keys.map((field) => field.name)) })}
          </p>
        )}
      </PagePanel>
      <ImportStatusFields features={features} onChange={setFeatures} />
      <div className={styles['choices']}>
        <TextInput label={t('name')} required value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <SegmentChoice value={segment} onChange={setSegment} />
        <Select
          label={t('existing')}
          allowDeselect={false}
          data={[
            { value: 'update', label: t('existingUpdate') },
            { value: 'keep', label: t('existingKeep') },
          ]}
          value={keepsKnown ? 'keep' : 'update'}
          onChange={(value) => setKeepsKnown(value === 'keep')}
        />
      </div>
      {check.error !== null && <ProblemAlert error={check.error} />}
      <div className={styles['check']}>
        <Button type="submit" loading={check.isBusy} disabled={!hasKey || name.trim() === ''}>
          {t('check')}
        </Button>
        <span className={styles['quiet']}>{t('checkHelp')}</span>
      </div>
    </form>
  )
}
