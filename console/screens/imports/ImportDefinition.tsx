import { Button, Select, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { NO_SEGMENT_EXPIRATION } from '../../api/definitions.ts'
import { FactList, type LabelledFact, PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { type ImportPreviewChoice, requestImportRun, uploadImportFile } from './calls.ts'
import { findFreeFieldName } from './columns/free-name.ts'
import { ImportColumnTable } from './columns/ImportColumnTable.tsx'
import {
  createFieldForColumn,
  guessImportColumns,
  isWordInSample,
  proposeNewFields,
  sampleImportColumn,
} from './columns/new-fields.ts'
import { type PreviewedImportFile, previewImportFile } from './columns/sample-rows.ts'
import { ImportEncodingField } from './ImportEncodingField.tsx'
import { ImportSheetField } from './ImportSheetField.tsx'
import { ImportStatusFields } from './ImportStatusFields.tsx'
import styles from './ImportsPage.module.css'
import {
  type ApiImportFeature,
  type ApiImportPreview,
  findColumnField,
  type ImportTargetField,
  setColumnField,
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

interface Props extends PreviewedImportFile {
  file: File
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
      <div className={styles['summary']}>
        <FactList
          facts={
            archiveNames
              ? [...summaryDetails, { key: 'files', label: t('archive', { count: 2 }), value: archiveNames }]
              : summaryDetails
          }
        />
        {children}
      </div>
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
  const createdSegment =
    segment === NEW_SEGMENT &&
    (await apiClient.createSegment({ body: { type: 'static', name, expiration: NO_SEGMENT_EXPIRATION } }))
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

/** The date order of the account, which decides how dates with slashes are read. */
function useDateOrder() {
  const settingsQuery = useQuery({
    queryKey: ['contactSettings'],
    queryFn: ({ signal }) => apiClient.getContactSettings({ signal }),
  })
  return settingsQuery.data?.dateOrder
}

/** A file with its mapping and the fields to create, as they are chosen. */
function useImportMapping({ file, fields, ...initialRead }: Props) {
  const queryClient = useQueryClient()
  const [read, setRead] = useState<PreviewedImportFile>(initialRead)
  const { preview, sample } = read
  const guesses = useMemo(() => guessImportColumns(preview, sample), [preview, sample])
  const [features, setFeatures] = useState<ApiImportFeature[]>(preview.mapping.features)
  const [newFields, setNewFields] = useState(() => proposeNewFields(preview, sample, guesses))
  const readAs = async (choice: ImportPreviewChoice): Promise<void> => {
    const nextRead = await previewImportFile(file, choice)
    const nextGuesses = guessImportColumns(nextRead.preview, nextRead.sample)
    setRead(nextRead)
    setFeatures(nextRead.preview.mapping.features)
    setNewFields(proposeNewFields(nextRead.preview, nextRead.sample, nextGuesses))
  }
  /** Creates the new fields, each of which stays created if a later one fails. */
  const createFields = async (formatName: (index: number) => string): Promise<ApiImportFeature[]> => {
    let mappedFeatures = features
    const takenNames = fields.map(({ name }) => name)
    for (const column of preview.columns) {
      const kind = newFields[column.index]
      if (kind === undefined) continue
      const name = findFreeFieldName(column.heading || formatName(column.index), takenNames)
      const sampledColumn = sampleImportColumn(column, sample, preview.separator)
      const fieldId = await createFieldForColumn({ name, kind, column: sampledColumn })
      takenNames.push(name)
      mappedFeatures = setColumnField(mappedFeatures, column, fieldId)
      setFeatures(mappedFeatures)
      setNewFields(({ [column.index]: _, ...otherNewFields }) => otherNewFields)
    }
    await queryClient.invalidateQueries({ queryKey: ['fields'] })
    await queryClient.invalidateQueries({ queryKey: ['valueLists'] })
    return mappedFeatures
  }
  const occurs = (column: string | number, word: string): boolean => isWordInSample(preview, sample, { column, word })
  return { preview, guesses, features, setFeatures, newFields, setNewFields, readAs, createFields, occurs }
}

/** True if a column fills a field that identifies contacts. */
function hasKeyColumn({ columns }: ApiImportPreview, features: readonly ApiImportFeature[], keyIds: number[]): boolean {
  return columns.some((column) => keyIds.includes(findColumnField(features, column) ?? 0))
}

/** Definition of an import from a file: states, columns with fields to create, and the import of the whole file in one press. */
export function ImportDefinition(props: Props) {
  const { file, fields } = props
  const t = useTranslator(importTexts)
  const format = useLocaleFormat()
  const navigate = useNavigate()
  const dateOrder = useDateOrder()
  const { preview, guesses, features, setFeatures, newFields, setNewFields, ...mapping } = useImportMapping(props)
  const [name, setName] = useState(stripFileExtension(file.name))
  const [segment, setSegment] = useState<string | null>(null)
  const [keepsKnown, setKeepsKnown] = useState(false)
  const createdImportId = useRef<number | null>(null)
  const keyFields = fields.filter(({ isUnicity }) => isUnicity)
  const keyIds = keyFields.map(({ id }) => id)
  const isReady = hasKeyColumn(preview, features, keyIds) && name.trim() !== ''
  const startRun = async (isCheck: boolean): Promise<void> => {
    const createdFeatures = await mapping.createFields((index) => t('column', { column: index + 1 }))
    const updateFeature = keepsKnown ? { type: 'database' as const, updateExisting: false } : null
    const completedFeatures = await completeFeatures(createdFeatures, segment, name)
    const body = { name, features: setImportFeature(completedFeatures, 'database', updateFeature) }
    if (createdImportId.current === null) createdImportId.current = (await apiClient.createImport({ body })).id
    else await apiClient.updateImport({ path: { id: String(createdImportId.current) }, body })
    await uploadImportFile(createdImportId.current, file)
    const { id, import: of } = await requestImportRun(createdImportId.current, isCheck)
    await navigate({ to: '/imports/$id', params: { id: String(of) }, search: { run: id } })
  }
  const importFile = useAsyncAction(() => startRun(false))
  const checkFile = useAsyncAction(() => startRun(true))
  const nextReading = useRef<ImportPreviewChoice>({})
  const reloadPreview = useAsyncAction(() => mapping.readAs(nextReading.current))
  const changeReading = (choice: ImportPreviewChoice): void => {
    nextReading.current = choice
    void reloadPreview.run()
  }
  const newFieldCount = Object.keys(newFields).length
  const isBusy = importFile.isBusy || checkFile.isBusy
  return (
    <form className={styles['page']} onSubmit={importFile.submit}>
      <FileSummary file={file} preview={preview}>
        <ReadingChoice preview={preview} isBusy={reloadPreview.isBusy} onChange={changeReading} />
      </FileSummary>
      <ImportStatusFields features={features} onChange={setFeatures} occurs={mapping.occurs} />
      <PagePanel title={t('columns')}>
        <p className={styles['quiet']}>{t('columnsWhy')}</p>
        <ImportColumnTable
          preview={preview}
          fields={fields}
          features={features}
          onChange={setFeatures}
          creation={{ newFields, guesses, dateOrder, onChange: setNewFields }}
        />
        {!hasKeyColumn(preview, features, keyIds) && (
          <p role="alert" className={styles['warn']}>
            {t('noKey', { fields: format.list(keyFields.map((field) => field.name)) })}
          </p>
        )}
      </PagePanel>
      <div className={styles['choices']}>
        <TextInput label={t('name')} required value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <SegmentSelect value={segment} onChange={setSegment} />
        <KnownContactsSelect keepsKnown={keepsKnown} onChange={setKeepsKnown} />
      </div>
      {[reloadPreview.error, importFile.error, checkFile.error].map(
        (error) => error !== null && <ProblemAlert key={String(error)} error={error} />,
      )}
      <div className={styles['check']}>
        <Button type="submit" loading={importFile.isBusy} disabled={!isReady || isBusy}>
          {newFieldCount === 0 ? t('applies') : t('createAndImport', { count: newFieldCount })}
        </Button>
        <Button
          variant="default"
          loading={checkFile.isBusy}
          disabled={!isReady || isBusy}
          onClick={() => void checkFile.run()}
        >
          {t('check')}
        </Button>
        <span className={styles['quiet']}>
          {newFieldCount === 0 ? t('checkHelpPlain') : t('checkHelp', { count: newFieldCount })}
        </span>
      </div>
    </form>
  )
}
