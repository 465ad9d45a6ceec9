import { Button, Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useImperativeHandle, useRef, useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { isApiRefusal } from '../../api/refusal.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Deliverability.module.css'
import { deliverabilityTexts } from './texts.ts'

interface Props {
  /** Another domain is the default one: this may take its place. */
  hasOthers?: boolean
  onAdded?(name: string): void
  /** Adds what is typed; answers false if that was refused. */
  addTyped?: RefObject<(() => Promise<boolean>) | null> | undefined
}

/** A domain to send from: it gets keys, and records to publish. */
export function AddDomain({ hasOthers = false, onAdded, addTyped }: Props) {
  const t = useTranslator(deliverabilityTexts)
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [isDefault, setDefault] = useState(false)
  const isAdded = useRef(false)
  const { error, isBusy, submit, run } = useAsyncAction(async () => {
    const addedDomain = await apiClient.createDomain({ body: { name: name.trim(), default: isDefault } })
    isAdded.current = true
    setName('')
    await queryClient.invalidateQueries({ queryKey: ['domains'] })
    onAdded?.(addedDomain.name)
  })
  useImperativeHandle(addTyped, () => async () => {
    if (name.trim() === '') return true
    isAdded.current = false
    await run()
    return isAdded.current
  })
  const nameFault = isApiRefusal(error) ? error.errors.find(({ pointer }) => pointer === '/name')?.detail : undefined
  return (
    <form onSubmit={submit} className={styles['form']}>
      <TextInput
        label={t('domainName')}
        description={t('domainNameWhy')}
        placeholder="news.example.com"
        error={nameFault}
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
      {error !== null && nameFault === undefined && <ProblemAlert error={error} />}
      <Button type="submit" loading={isBusy} disabled={name.trim() === ''}>
        {t('domainAdd')}
      </Button>
    </form>
  )
}
