import { useQuery } from '@tanstack/react-query'
import { accountId, apiClient, readAnswer } from '../../../api/client.ts'
import { CodeBlock } from '../../../components/CodeBlock.tsx'
import { ChoiceField, FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { originalUploadName } from '../runs/Runs.tsx'
import type { ImportFormProps } from './document.ts'
import styles from './Settings.module.css'
import { importSettingsTexts } from './texts.ts'

const DEFAULT_FOLDER = '{id} - {name}'
const COMMAND = `stentor drop-places set --account ${accountId} --url sftp://name:password@files.example.com/in`

/** Where the drop place of the account is, or how an operator makes one. */
function DropPlace() {
  const t = useTranslator(importSettingsTexts)
  const read = useQuery({
    queryKey: ['dropPlace'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/settings/dropPlace', { signal })),
  })
  if (read.error) return <ProblemAlert error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return null
  const { place } = read.data
  if (place)
    return (
      <p className={styles['fact']}>
        {t(place.kind === 'sftp' ? 'placeSftp' : 'placeDirectory')} <code>{place.address}</code>
      </p>
    )
  return (
    <div className={styles['notice']}>
      <p>{t('noPlace')}</p>
      <CodeBlock label={t('placeCommand')} code={COMMAND} wrap />
    </div>
  )
}

/** Where the files of an import come from. */
export function ImportSourceFields({ form, isReadOnly }: ImportFormProps) {
  const t = useTranslator(importSettingsTexts)
  const { type, filename } = form.value.source
  const own = { form, isReadOnly }
  const types = (['file', 'ftp'] as const).map((value) => ({ value, label: t(value) }))
  return (
    <FieldGroup title={t('source')}>
      <ChoiceField {...own} at="/source/type" label={t('sourceType')} choices={types} />
      {type === 'file' && (
        <p className={styles['fact']}>
          {filename === null ? t('noUpload') : t('lastUpload')}{' '}
          {filename !== null && <bdi>{originalUploadName(filename)}</bdi>}
        </p>
      )}
      {type === 'ftp' && (
        <>
          <DropPlace />
          <TextField
            {...own}
            at="/source/folder"
            label={t('folder')}
            help={t('folderHelp')}
            placeholder={DEFAULT_FOLDER}
          />
          <TextField
            {...own}
            at="/source/templateFilename"
            label={t('template')}
            help={t('templateHelp')}
            placeholder="*"
          />
        </>
      )}
    </FieldGroup>
  )
}
