import { useQuery } from '@tanstack/react-query'
import { accountId, apiClient } from '../../../api/client.ts'
import { CodeBlock } from '../../../components/CodeBlock.tsx'
import { ChoiceField, FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { originalUploadName } from '../runs/Runs.tsx'
import type { ImportFormProps } from './document.ts'
import styles from './Settings.module.css'
import { importSettingsTexts } from './texts.ts'

const DEFAULT_FOLDER = '{id} - {name}'
const SETUP_COMMAND = `stentor drop-places set --account ${accountId} --url sftp://name:password@files.example.com/in`

/** Address of the drop place of the account, or the command for an operator to create one. */
function DropPlaceNotice() {
  const t = useTranslator(importSettingsTexts)
  const dropPlaceQuery = useQuery({
    queryKey: ['dropPlace'],
    queryFn: ({ signal }) => apiClient.getDropPlace({ signal }),
  })
  if (dropPlaceQuery.error)
    return <ProblemAlert error={dropPlaceQuery.error} onRetry={() => void dropPlaceQuery.refetch()} />
  if (!dropPlaceQuery.data) return null
  const { place } = dropPlaceQuery.data
  if (place)
    return (
      <p className={styles['fact']}>
        {t(place.kind === 'sftp' ? 'placeSftp' : 'placeDirectory')} <code>{place.address}</code>
      </p>
    )
  return (
    <div className={styles['notice']}>
      <p>{t('noPlace')}</p>
      <CodeBlock label={t('placeCommand')} code={SETUP_COMMAND} wrap />
    </div>
  )
}

/** Source of the files of an import. */
export function ImportSourceFields({ form, isReadOnly }: ImportFormProps) {
  const t = useTranslator(importSettingsTexts)
  const { type, filename } = form.value.source
  const fieldProps = { form, isReadOnly }
  const sourceTypes = (['file', 'ftp'] as const).map((value) => ({ value, label: t(value) }))
  return (
    <FieldGroup title={t('source')}>
      <ChoiceField {...fieldProps} at="/source/type" label={t('sourceType')} choices={sourceTypes} />
      {type === 'file' && (
        <p className={styles['fact']}>
          {filename === null ? t('noUpload') : t('lastUpload')}{' '}
          {filename !== null && <bdi>{originalUploadName(filename)}</bdi>}
        </p>
      )}
      {type === 'ftp' && (
        <>
          <DropPlaceNotice />
          <TextField
            {...fieldProps}
            at="/source/folder"
            label={t('folder')}
            help={t('folderHelp')}
            placeholder={DEFAULT_FOLDER}
          />
          <TextField
            {...fieldProps}
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
