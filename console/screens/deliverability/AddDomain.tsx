import { Button, Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { isRefusal } from '../../api/refusal.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './Deliverability.module.css'
import { deliverabilityTexts } from './texts.ts'

interface Props {
  /** Another domain is the default one: this may take its place. */
  hasOthers?: boolean
  onAdded?(name: string): void
}

/** A domain to send from: it gets keys, and records to publish. */
export function AddDomain({ hasOthers = false, onAdded }: Props) {
  const t = useText(deliverabilityTexts)
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [isDefault, setDefault] = useState(false)
  const { error, isBusy, submit } = useAct(async () => {
    const added = await data(api.POST('/domains', { body: { name: name.trim(), default: isDefault } }))
    setName('')
    await queries.invalidateQueries({ queryKey: ['domains'] })
    onAdded?.(added.name)
  })
  const fault = isRefusal(error) ? error.errors.find(({ pointer }) => pointer === '/name')?.detail : undefined
  return (
    <form onSubmit={submit} className={styles['form']}>
      <TextInput
        label={t('domainName')}
        description={t('domainNameWhy')}
        placeholder="news.example.com"
        error={fault}
        required
        maw={420}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {hasOthers && (
        <Switch
          label={t('makeDefault')}
          description={t('isDefaultWhy')}
          checked={isDefault}
          onChange={(event) => setDefault(event.currentTarget.checked)}
        />
      )}
      {error !== null && fault === undefined && <Problem error={error} />}
      <Button type="submit" loading={isBusy} disabled={name.trim() === ''}>
        {t('domainAdd')}
      </Button>
    </form>
  )
}
