import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { Panel } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './Imports.module.css'
import { importTexts } from './texts.ts'

/** Makes an import that pulls its files from the drop place: when, and from where, is said in its settings. */
export function ViaPlace() {
  const t = useText(importTexts)
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const make = useAct(async () => {
    const { id } = await data(api.POST('/imports', { body: { name, source: { type: 'ftp' } } }))
    await navigate({ to: '/imports/$id/settings', params: { id: String(id) } })
  })
  return (
    <Panel title={t('viaPlace')}>
      <p className={styles['quiet']}>{t('viaPlaceWhy')}</p>
      <form className={styles['place']} onSubmit={make.submit}>
        <TextInput label={t('name')} required value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <Button type="submit" variant="default" loading={make.isBusy} disabled={name.trim() === ''}>
          {t('viaPlaceMake')}
        </Button>
      </form>
      {make.error !== null && <Problem error={make.error} />}
    </Panel>
  )
}
