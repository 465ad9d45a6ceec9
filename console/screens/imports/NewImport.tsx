import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { Allowed } from '../../components/Allowed.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { useText } from '../../text/catalogue.ts'
import { previewOf } from './calls.ts'
import { Definition } from './Definition.tsx'
import { Drop } from './Drop.tsx'
import styles from './Imports.module.css'
import type { Preview } from './mapping.ts'
import { importTexts } from './texts.ts'
import { ViaPlace } from './ViaPlace.tsx'

interface Taken {
  file: File
  preview: Preview
}

function Creation() {
  const t = useText(importTexts)
  const [taken, setTaken] = useState<Taken | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const fields = useQuery({ queryKey: ['fields'], queryFn: ({ signal }) => data(api.GET('/fields', { signal })) })
  const take = async (file: File): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      setTaken({ file, preview: await previewOf(file) })
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
    <Page title={t('newImport')} parent={{ label: t('title'), to: '/imports' }} action={taken && again}>
      <div className={styles['page']}>
        {error !== null && <Problem error={error} />}
        {fields.error && <Problem error={fields.error} onRetry={() => void fields.refetch()} />}
        {!taken && <Drop isBusy={isBusy} onFile={(file) => void take(file)} />}
        {!taken && <ViaPlace />}
        {taken && fields.isPending && <Skeleton />}
        {taken && fields.data && <Definition {...taken} fields={fields.data} />}
      </div>
    </Page>
  )
}

/** From a file to a checked import: what it looks like, what its columns fill, what its statuses mean. */
export function NewImport() {
  return (
    <Allowed right="write" to="/imports">
      <Creation />
    </Allowed>
  )
}
