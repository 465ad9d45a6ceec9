import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useContactFields } from '../../../api/definitions.ts'
import { ChoiceField, FieldGroup } from '../../../components/form/fields.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { requestImportPreview } from '../calls.ts'
import { useImportFormats } from '../formats/use-formats.ts'
import { ImportEncodingField } from '../ImportEncodingField.tsx'
import { ImportPreviewLines } from '../ImportPreviewLines.tsx'
import { ImportSheetField } from '../ImportSheetField.tsx'
import { ImportStatusFields } from '../ImportStatusFields.tsx'
import { type ApiImportFeature, setImportEncoding, setImportFeature, setImportSheet } from '../mapping.ts'
import { findFormFeature, type ImportFormProps } from './document.ts'
import styles from './Settings.module.css'
import { importSettingsTexts } from './texts.ts'

/** The first lines of the file that the import has, with what each column fills. */
function Mapped({ form, id, isReadOnly }: ImportFormProps & { id: number }) {
  const t = useTranslator(importSettingsTexts)
  const fields = useContactFields()
  const [fault, setFault] = useState<unknown>(null)
  const { features } = form.value
  const mapping = findFormFeature(features, 'columns')
  const encoding = mapping?.encoding ?? 'auto'
  const sheet = mapping?.sheet ?? undefined
  const preview = useQuery({
    queryKey: ['imports', id, 'preview', form.value.source.filename, encoding, sheet],
    queryFn: ({ signal }) => requestImportPreview(id, { encoding, sheet }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (preview.error) return <p className={styles['fact']}>{t('noLines')}</p>
  if (!preview.data || !fields.data) return <LoadingSkeleton />
  const guessed = findFormFeature(preview.data.mapping.features, 'columns')
  // Without a mapping the header line names the fields: the first change starts from the guessed mapping.
  const effective = mapping || !guessed ? features : setImportFeature(features, 'columns', guessed)
  return (
    <>
      {preview.data.sheet === null ? (
        <ImportEncodingField
          preview={preview.data}
          isReadOnly={isReadOnly}
          onChange={(chosen) => form.set('/features', setImportEncoding(effective, chosen))}
        />
      ) : (
        <ImportSheetField
          shown={preview.data.sheet}
          sheets={preview.data.sheets}
          chosen={sheet}
          isReadOnly={isReadOnly}
          onChange={(chosen) => form.set('/features', setImportSheet(effective, chosen))}
        />
      )}
      <ImportPreviewLines
        preview={preview.data}
        fields={fields.data}
        features={effective}
        onChange={(next: ApiImportFeature[]) => form.set('/features', next)}
        onError={setFault}
      />
      {fault !== null && <ProblemAlert error={fault} />}
    </>
  )
}

/** Which columns fill which fields: by a saved format, or by headings. */
export function ImportColumnFields({ form, isReadOnly, id }: ImportFormProps & { id: number }) {
  const t = useTranslator(importSettingsTexts)
  const formats = useImportFormats().data ?? []
  const own = { form, isReadOnly }
  const choices = formats.map(({ identifier, name }) => ({ value: String(identifier.guid), label: name }))
  return (
    <FieldGroup title={t('columns')}>
      <ChoiceField
        {...own}
        isNumber
        isClearable
        at="/binding"
        label={t('format')}
        help={
          <>
            {t('formatHelp')} <Link to="/imports/formats">{t('formats')}</Link>
          </>
        }
        choices={choices}
      />
      {form.value.binding === null && form.value.source.filename !== null && <Mapped {...own} id={id} />}
      {form.value.binding === null && form.value.source.filename === null && (
        <p className={styles['fact']}>{t('noLines')}</p>
      )}
      <ImportStatusFields features={form.value.features} onChange={(next) => form.set('/features', next)} />
    </FieldGroup>
  )
}
