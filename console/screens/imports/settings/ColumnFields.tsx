import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFields } from '../../../api/definitions.ts'
import { ChoiceField, FieldGroup } from '../../../components/form/fields.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Skeleton } from '../../../components/layout/Skeleton.tsx'
import { useText } from '../../../text/catalogue.ts'
import { previewOfImport } from '../calls.ts'
import { Encoding } from '../Encoding.tsx'
import { useFormats } from '../formats/use-formats.ts'
import { Lines } from '../Lines.tsx'
import { type Feature, withEncoding, withFeature, withSheet } from '../mapping.ts'
import { Sheet } from '../Sheet.tsx'
import { Statuses } from '../Statuses.tsx'
import { type Edited, featureOf } from './document.ts'
import styles from './Settings.module.css'
import { settingsTexts } from './texts.ts'

/** The first lines of the file that the import has, with what each column fills. */
function Mapped({ form, id, isReadOnly }: Edited & { id: number }) {
  const t = useText(settingsTexts)
  const fields = useFields()
  const [fault, setFault] = useState<unknown>(null)
  const { features } = form.value
  const mapping = featureOf(features, 'columns')
  const encoding = mapping?.encoding ?? 'auto'
  const sheet = mapping?.sheet ?? undefined
  const preview = useQuery({
    queryKey: ['imports', id, 'preview', form.value.source.filename, encoding, sheet],
    queryFn: ({ signal }) => previewOfImport(id, { encoding, sheet }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (preview.error) return <p className={styles['fact']}>{t('noLines')}</p>
  if (!preview.data || !fields.data) return <Skeleton />
  const guessed = featureOf(preview.data.mapping.features, 'columns')
  // Without a mapping the header line names the fields: the first change starts from the guessed mapping.
  const effective = mapping || !guessed ? features : withFeature(features, 'columns', guessed)
  return (
    <>
      {preview.data.sheet === null ? (
        <Encoding
          preview={preview.data}
          isReadOnly={isReadOnly}
          onChange={(chosen) => form.set('/features', withEncoding(effective, chosen))}
        />
      ) : (
        <Sheet
          shown={preview.data.sheet}
          sheets={preview.data.sheets}
          chosen={sheet}
          isReadOnly={isReadOnly}
          onChange={(chosen) => form.set('/features', withSheet(effective, chosen))}
        />
      )}
      <Lines
        preview={preview.data}
        fields={fields.data}
        features={effective}
        onChange={(next: Feature[]) => form.set('/features', next)}
        onError={setFault}
      />
      {fault !== null && <Problem error={fault} />}
    </>
  )
}

/** Which columns fill which fields: by a saved format, or by headings. */
export function ColumnFields({ form, isReadOnly, id }: Edited & { id: number }) {
  const t = useText(settingsTexts)
  const formats = useFormats().data ?? []
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
      <Statuses features={form.value.features} onChange={(next) => form.set('/features', next)} />
    </FieldGroup>
  )
}
