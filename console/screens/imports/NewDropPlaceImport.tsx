import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './ImportsPage.module.css'
import { importTexts } from './texts.ts'

/** Makes an import that pulls its files from the drop place: when, and from where, is said in its settings. */
export function NewDropPlaceImport() {
  const t = useTranslator(importTexts)
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const createImport = useAsyncAction(async () => {
    const { id } = await apiClient.createImport({ body: { name, source: { type: 'ftp' } } })
    await navigate({ to: '/imports/$id/settings', params: { id: String(id) } })
  })
  return (
    <PagePanel title={t('viaPlace')}>
      <p className={styles['quiet']}>{t('viaPlaceWhy')}</p>
      <form className={styles['place']} onSubmit={createImport.submit}>
        <TextInput label={t('name')} required value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <Button type="submit" variant="default" loading={createImport.isBusy} disabled={name.trim() === ''}>
          {t('viaPlaceMake')}
        </Button>
      </form>
      {createImport.error !== null && <ProblemAlert error={createImport.error} />}
    </PagePanel>
  )
}
