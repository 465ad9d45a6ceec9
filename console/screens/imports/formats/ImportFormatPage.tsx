import { NumberInput, Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { apiClient, readVersionedAnswer } from '../../../api/client.ts'
import { useContactFields } from '../../../api/definitions.ts'
import { useHasRight } from '../../../api/me.ts'
import { DocumentLoader } from '../../../components/form/DocumentLoader.tsx'
import { ChoiceField, FieldGroup, NumberField, TextField } from '../../../components/form/fields.tsx'
import { LineList } from '../../../components/form/LineList.tsx'
import { ResourcePage } from '../../../components/form/ResourcePage.tsx'
import type { FormState, StoredDocument } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { useImportEncodings } from '../encodings.ts'
import { DATE_UNITS, DECIMAL_MARKS, parseReadingChoice } from '../mapping.ts'
import styles from '../settings/Settings.module.css'
import { importSettingsTexts } from '../settings/texts.ts'
import { importTexts } from '../texts.ts'
import { useColumnSeparators } from './separators.ts'
import type { ApiImportFormat } from './use-formats.ts'

const route = getRouteApi('/imports/formats/$id')

/** The field of a column that is not read. */
const IGNORED_FIELD_ID = -10

interface FormatSectionProps {
  form: FormState<ApiImportFormat>
  isReadOnly: boolean
}

type ColumnBind = ApiImportFormat['binds'][number]

interface ReadingChoiceProps {
  bind: ColumnBind
  type: string | undefined
  isReadOnly: boolean
  onChange(bind: ColumnBind): void
}

/** A choice of how to read a column of numbers or dates that has several readings. */
function BindReading({ bind, type, isReadOnly, onChange }: ReadingChoiceProps) {
  const t = useTranslator(importSettingsTexts)
  const { columnIndex, fieldId, decimalMark, dateUnit } = bind
  if (type !== 'numeric' && type !== 'date') return <span />
  const values = type === 'numeric' ? DECIMAL_MARKS : DATE_UNITS
  return (
    <Select
      size="xs"
      clearable
      clearButtonProps={{ 'aria-label': t('found') }}
      aria-label={t('readingOf', { column: columnIndex + 1 })}
      placeholder={type === 'numeric' ? t('found') : t('numbersRefused')}
      readOnly={isReadOnly}
      data={values.map((value) => ({ value, label: t(`read.${value}`) }))}
      value={(type === 'numeric' ? decimalMark : dateUnit) ?? null}
      onChange={(value) => onChange({ columnIndex, fieldId, ...parseReadingChoice(value) })}
    />
  )
}

function BindFields({ form, isReadOnly }: FormatSectionProps) {
  const [t, importT] = [useTranslator(importSettingsTexts), useTranslator(importTexts)]
  const contactFields = useContactFields().data ?? []
  const { binds } = form.value
  const setBinds = (next: ApiImportFormat['binds']): void => form.set('/binds', next)
  const fieldChoices = [
    { value: String(IGNORED_FIELD_ID), label: importT('notRead') },
    ...contactFields.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  const next = Math.max(-1, ...binds.map(({ columnIndex }) => columnIndex)) + 1
  return (
    <FieldGroup title={importT('columns')}>
      {form.faultAt('/binds') && <p role="alert">{form.faultAt('/binds')}</p>}
      <LineList
        values={binds}
        onChange={setBinds}
        addLabel={t('addColumn')}
        fresh={() => ({ columnIndex: next, fieldId: IGNORED_FIELD_ID })}
        removeLabel={({ columnIndex }) => t('removeColumn', { column: columnIndex + 1 })}
        isReadOnly={isReadOnly}
        className={styles['binds']}
      >
        {(bind, place) => (
          <>
            <NumberInput
              size="xs"
              min={1}
              hideControls
              aria-label={t('columnPlace')}
              readOnly={isReadOnly}
              error={form.faultAt(`/binds/${place}/columnIndex`)}
              value={bind.columnIndex + 1}
              onChange={(column) =>
                setBinds(binds.with(place, { ...bind, columnIndex: Math.max(Number(column) - 1, 0) }))
              }
            />
            <Select
              size="xs"
              searchable
              allowDeselect={false}
              aria-label={importT('fieldFor', { column: bind.columnIndex + 1 })}
              readOnly={isReadOnly}
              error={form.faultAt(`/binds/${place}/fieldId`)}
              data={fieldChoices}
              value={String(bind.fieldId)}
              onChange={(field) =>
                setBinds(binds.with(place, { columnIndex: bind.columnIndex, fieldId: Number(field) }))
              }
            />
            <BindReading
              bind={bind}
              isReadOnly={isReadOnly}
              type={contactFields.find(({ id }) => id === bind.fieldId)?.type}
              onChange={(next) => setBinds(binds.with(place, next))}
            />
          </>
        )}
      </LineList>
    </FieldGroup>
  )
}

function ReadingFields({ form, isReadOnly }: FormatSectionProps) {
  const [t, importT] = [useTranslator(importSettingsTexts), useTranslator(importTexts)]
  const separators = useColumnSeparators()
  const encodings = useImportEncodings()
  const sectionProps = { form, isReadOnly }
  const { encoding = 'auto', separator } = form.value
  const autoOption = { value: 'auto', label: t('found') }
  return (
    <FieldGroup title={t('reading')}>
      <ChoiceField
        {...sectionProps}
        at="/encoding"
        label={importT('encoding')}
        choices={[autoOption, ...encodings(encoding).filter(({ value }) => value !== 'auto')]}
      />
      <TextField {...sectionProps} at="/sheet" label={importT('sheet')} help={t('sheetHelp')} />
      <ChoiceField
        {...sectionProps}
        isNumber
        at="/separator"
        label={importT('separator')}
        choices={separators.choices(separator)}
      />
      <NumberField {...sectionProps} at="/startAt" label={t('startAt')} help={t('startAtHelp')} min={0} />
      <ChoiceField
        {...sectionProps}
        isClearable
        at="/dateOrder"
        label={t('dateOrder')}
        help={t('dateOrderHelp')}
        choices={(['dmy', 'mdy'] as const).map((value) => ({ value, label: t(value) }))}
      />
    </FieldGroup>
  )
}

function FormatForm({ id, stored: storedFormat }: { id: string; stored: StoredDocument<ApiImportFormat> }) {
  const [t, importT] = [useTranslator(importSettingsTexts), useTranslator(importTexts)]
  const navigate = route.useNavigate()
  const queryClient = useQueryClient()
  const isReadOnly = !useHasRight('write')
  const isNew = id === 'new'
  const path = { path: { id } }
  const { name } = storedFormat.data
  const saveFormat = (
    { identifier, ...body }: ApiImportFormat,
    etag: string | null,
  ): Promise<StoredDocument<ApiImportFormat>> =>
    isNew
      ? readVersionedAnswer(apiClient.createImportFormat, { body })
      : readVersionedAnswer(apiClient.updateImportFormat, {
          ...path,
          headers: etag === null ? {} : { 'if-match': etag },
          body,
        })
  return (
    <ResourcePage<ApiImportFormat>
      name={`import-format.${id}`}
      title={isNew ? t('newFormat') : name}
      parent={{ label: t('formats'), to: '/imports/formats' }}
      stored={storedFormat}
      isNew={isNew}
      isReadOnly={isReadOnly}
      save={saveFormat}
      load={() => readVersionedAnswer(apiClient.getImportFormat, path)}
      onSaved={(next) => {
        void queryClient.invalidateQueries({ queryKey: ['importFormats'] })
        queryClient.setQueryData(['importFormat', String(next.data.identifier.guid)], next)
        if (isNew) void navigate({ to: `/imports/formats/${next.data.identifier.guid}`, replace: true })
      }}
      pointers={['/name', '/encoding', '/sheet', '/separator', '/startAt', '/dateOrder', '/binds']}
      {...(!isNew && {
        removal: {
          title: t('deleteFormat', { name }),
          action: t('remove'),
          why: t('deleteFormatWhy'),
          done: t('formatGone', { name }),
          remove: async () => {
            await apiClient.deleteImportFormat(path)
            await queryClient.invalidateQueries({ queryKey: ['importFormats'] })
            await navigate({ to: '/imports/formats' })
          },
        },
      })}
    >
      {(form) => (
        <div className={styles['form']}>
          <FieldGroup>
            <TextField form={form} at="/name" label={importT('name')} isReadOnly={isReadOnly} />
          </FieldGroup>
          <ReadingFields form={form} isReadOnly={isReadOnly} />
          <BindFields form={form} isReadOnly={isReadOnly} />
        </div>
      )}
    </ResourcePage>
  )
}

const blankFormat: ApiImportFormat = {
  identifier: { guid: 0 },
  name: '',
  separator: 0,
  startAt: 1,
  binds: [],
  savedImportFormat: true,
  encoding: 'auto',
}

/** Import format: column mapping for files without usable headings. */
export function ImportFormatPage() {
  const t = useTranslator(importSettingsTexts)
  const { id } = route.useParams()
  const formatQuery = useQuery({
    queryKey: ['importFormat', id],
    queryFn: ({ signal }): Promise<StoredDocument<ApiImportFormat>> | StoredDocument<ApiImportFormat> =>
      id === 'new'
        ? { data: blankFormat, etag: null }
        : readVersionedAnswer(apiClient.getImportFormat, { path: { id }, signal }),
    refetchOnWindowFocus: false,
  })
  return (
    <DocumentLoader read={formatQuery} title={t('formats')} parent={{ label: t('formats'), to: '/imports/formats' }}>
      {(storedFormat) => <FormatForm key={id} id={id} stored={storedFormat} />}
    </DocumentLoader>
  )
}
