import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { RightGuard } from '../../components/RightGuard.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { requestFilePreview } from './calls.ts'
import { ImportDefinition } from './ImportDefinition.tsx'
import { ImportFileDrop } from './ImportFileDrop.tsx'
import styles from './ImportsPage.module.css'
import type { ApiImportPreview } from './mapping.ts'
import { NewDropPlaceImport } from './NewDropPlaceImport.tsx'
import { importTexts } from './texts.ts'

interface Taken {
  file: File
  preview: ApiImportPreview
}

function Creation() {
  const t = useTranslator(importTexts)
  const [taken, setTaken] = useState<Taken | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const fields = useQuery({
    queryKey: ['fields'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/fields', { signal })),
  })
  const take = async (file: File): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      setTaken({ file, preview: await requestFilePreview(file) })
    } catch (thrown) {
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }
  const again = (
    <Button variant="default" onClick={() => setTaken(null)}>
      {t('dropOther')}
    </Button>
  )
  return (
    <ScreenPage title={t('newImport')} parent={{ label: t('title'), to: '/imports' }} action={taken && again}>
      <div className={styles['page']}>
        {error !== null && <ProblemAlert error={error} />}
        {fields.error && <ProblemAlert error={fields.error} onRetry={() => void fields.refetch()} />}
        {!taken && <ImportFileDrop isBusy={isBusy} onFile={(file) => void take(file)} />}
        {!taken && <NewDropPlaceImport />}
        {taken && fields.isPending && <LoadingSkeleton />}
        {taken && fields.data && <ImportDefinition {...taken} fields={fields.data} />}
      </div>
    </ScreenPage>
  )
}

/** From a file to a checked import: what it looks like, what its columns fill, what its statuses mean. */
export function NewImportPage() {
  return (
    <RightGuard right="write" to="/imports">
      <Creation />
    </RightGuard>
  )
}
