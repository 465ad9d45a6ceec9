import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { RightGuard } from '../../components/RightGuard.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { type PreviewedImportFile, previewImportFile } from './columns/sample-rows.ts'
import { ImportDefinition } from './ImportDefinition.tsx'
import { ImportFileDrop } from './ImportFileDrop.tsx'
import { ImportPasteBox } from './ImportPasteBox.tsx'
import styles from './ImportsPage.module.css'
import { NewDropPlaceImport } from './NewDropPlaceImport.tsx'
import { importTexts } from './texts.ts'

type PreviewedFile = PreviewedImportFile & { file: File }

function ImportCreation() {
  const t = useTranslator(importTexts)
  const [previewedFile, setPreviewedFile] = useState<PreviewedFile | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const fieldsQuery = useQuery({
    queryKey: ['fields'],
    queryFn: ({ signal }) => apiClient.listFields({ signal }),
  })
  const previewFile = async (file: File): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      setPreviewedFile({ file, ...(await previewImportFile(file)) })
    } catch (caughtError) {
      setError(caughtError)
    } finally {
      setBusy(false)
    }
  }
  const otherFileButton = (
    <Button variant="default" onClick={() => setPreviewedFile(null)}>
      {t('dropOther')}
    </Button>
  )
  return (
    <ScreenPage
      title={t('newImport')}
      parent={{ label: t('title'), to: '/imports' }}
      action={previewedFile && otherFileButton}
    >
      <div className={styles['page']}>
        {error !== null && <ProblemAlert error={error} />}
        {fieldsQuery.error && <ProblemAlert error={fieldsQuery.error} onRetry={() => void fieldsQuery.refetch()} />}
        {!previewedFile && <ImportFileDrop isBusy={isBusy} onFile={(file) => void previewFile(file)} />}
        {!previewedFile && <ImportPasteBox isBusy={isBusy} onFile={(file) => void previewFile(file)} />}
        {!previewedFile && <NewDropPlaceImport />}
        {previewedFile && fieldsQuery.isPending && <LoadingSkeleton />}
        {previewedFile && fieldsQuery.data && <ImportDefinition {...previewedFile} fields={fieldsQuery.data} />}
      </div>
    </ScreenPage>
  )
}

/** From a file to a checked import: what it looks like, what its columns fill, what its statuses mean. */
export function NewImportPage() {
  return (
    <RightGuard right="write" to="/imports">
      <ImportCreation />
    </RightGuard>
  )
}
