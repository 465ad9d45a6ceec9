import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useContactFields } from '../../../api/definitions.ts'
import { ChoiceField, FieldGroup } from '../../../components/form/fields.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { requestImportPreview } from '../calls.ts'
import { ImportColumnTable } from '../columns/ImportColumnTable.tsx'
import { useImportFormats } from '../formats/use-formats.ts'
import { ImportEncodingField } from '../ImportEncodingField.tsx'
import { ImportSheetField } from '../ImportSheetField.tsx'
import { ImportStatusFields } from '../ImportStatusFields.tsx'
import { type ApiImportFeature, setImportEncoding, setImportFeature, setImportSheet } from '../mapping.ts'
import { findFormFeature, type ImportFormProps } from './document.ts'
import styles from './Settings.module.css'
import { importSettingsTexts } from './texts.ts'

/** The first lines of the file that the import has, with what each column fills. */
function MappedPreview({ form, id, isReadOnly }: ImportFormProps & { id: number }) {
  const t = useTranslator(importSettingsTexts)
  const contactFields = useContactFields()
  const { features } = form.value
  const columnsFeature = findFormFeature(features, 'columns')
  const encoding = columnsFeature?.encoding ?? 'auto'
  const sheet = columnsFeature?.sheet ?? undefined
  const previewQuery = useQuery({
    queryKey: ['imports', id, 'preview', form.value.source.filename, encoding, sheet],
    queryFn: ({ signal }) => requestImportPreview(id, { encoding, sheet }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (previewQuery.error) return <p className={styles['fact']}>{t('noLines')}</p>
  if (!previewQuery.data || !contactFields.data) return <LoadingSkeleton />
  const guessedColumns = findFormFeature(previewQuery.data.mapping.features, 'columns')
  // Without a mapping the header line names the fields: the first change starts from the guessed mapping.
  const effective = columnsFeature || !guessedColumns ? features : setImportFeature(features, 'columns', guessedColumns)
  return (
    <>
      {previewQuery.data.sheet === null ? (
        <ImportEncodingField
          preview={previewQuery.data}
          isReadOnly={isReadOnly}
          onChange={(chosenEncoding) => form.set('/features', setImportEncoding(effective, chosenEncoding))}
        />
      ) : (
        <ImportSheetField
          shown={previewQuery.data.sheet}
          sheets={previewQuery.data.sheets}
          chosen={sheet}
          isReadOnly={isReadOnly}
          onChange={(chosenEncoding) => form.set('/features', setImportSheet(effective, chosenEncoding))}
        />
      )}
      <ImportColumnTable
        preview={previewQuery.data}
        fields={contactFields.data}
        features={effective}
        onChange={(next: ApiImportFeature[]) => form.set('/features', next)}
      />
    </>
  )
}

/** Column mapping: by a saved format, or by headings. */
export function ImportColumnFields({ form, isReadOnly, id }: ImportFormProps & { id: number }) {
  const t = useTranslator(importSettingsTexts)
  const importFormats = useImportFormats().data ?? []
  const fieldProps = { form, isReadOnly }
  const formatChoices = importFormats.map(({ identifier, name }) => ({ value: String(identifier.guid), label: name }))
  return (
    <FieldGroup title={t('columns')}>
      <ChoiceField
        {...fieldProps}
        isNumber
        isClearable
        at="/binding"
        label={t('format')}
        help={
          <>
            {t('formatHelp')} <Link to="/imports/formats">{t('formats')}</Link>
          </>
        }
        choices={formatChoices}
      />
      {form.value.binding === null && form.value.source.filename !== null && <MappedPreview {...fieldProps} id={id} />}
      {form.value.binding === null && form.value.source.filename === null && (
        <p className={styles['fact']}>{t('noLines')}</p>
      )}
      <ImportStatusFields features={form.value.features} onChange={(next) => form.set('/features', next)} />
    </FieldGroup>
  )
}
