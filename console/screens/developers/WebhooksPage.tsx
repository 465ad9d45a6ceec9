import { Button, Modal, MultiSelect, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { hasHeadAction, useArrayTableRows } from '../../components/table/rows.ts'
import { useAsyncAction } from '../../components/use-act.ts'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import styles from './Developers.module.css'
import { DevelopersPage } from './DevelopersPage.tsx'
import type en from './en.ts'
import { developerTexts } from './texts.ts'
import { type ListedApiWebhook, WebhookStateBadge, webhookEventKinds } from './webhook-state.tsx'

/** Makes a webhook; its secret is shown this once. */
function NewWebhookDialog({ onClose }: { onClose(): void }) {
  const t = useTranslator(developerTexts)
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('https://')
  const [chosenEvents, setEvents] = useState<string[]>(['hits', 'bounces'])
  const [secret, setSecret] = useState<string | null>(null)
  const createWebhook = useAsyncAction(async () => {
    const body = { name, url, events: webhookEventKinds.filter((kind) => chosenEvents.includes(kind)) }
    const createdWebhook = await apiClient.createWebhook({ body })
    setSecret(createdWebhook.secret)
    await queryClient.invalidateQueries({ queryKey: ['webhooks'] })
  })
  return (
    <Modal opened onClose={onClose} title={t('newWebhook')} size={480} closeButtonProps={{ 'aria-label': t('close') }}>
      {secret === null ? (
        <form onSubmit={createWebhook.submit} className={styles['form']}>
          <TextInput
            label={t('name')}
            data-autofocus
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={t('url')}
            description={t('urlHelp')}
            type="url"
            required
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <MultiSelect
            label={t('events')}
            searchable
            data={webhookEventKinds}
            value={chosenEvents}
            onChange={setEvents}
          />
          {createWebhook.error !== null && <ProblemAlert error={createWebhook.error} />}
          <Button type="submit" loading={createWebhook.isBusy} disabled={chosenEvents.length === 0}>
            {t('newWebhook')}
          </Button>
        </form>
      ) : (
        <div className={styles['form']}>
          <p>{t('secretOnce')}</p>
          <CodeBlock code={secret} label={name} wrap />
          <Button onClick={onClose}>{t('kept')}</Button>
        </div>
      )}
    </Modal>
  )
}

const createColumns = (t: Translator<typeof en>): TableColumn<ListedApiWebhook>[] => [
  { key: 'name', header: t('name'), width: 160, grow: 2, cell: ({ name }) => <bdi>{name}</bdi> },
  { key: 'state', header: t('state'), width: 120, cell: (webhook) => <WebhookStateBadge webhook={webhook} /> },
  { key: 'url', header: t('url'), width: 240, grow: 2, cell: ({ url }) => <bdi>{url}</bdi> },
  {
    key: 'pending',
    header: t('pending'),
    width: 100,
    align: 'end',
    cell: ({ statistics }) => <FormattedNumber value={statistics.pending} />,
  },
  {
    key: 'dead',
    header: t('deadLetters'),
    width: 120,
    align: 'end',
    cell: ({ statistics }) => <FormattedNumber value={statistics.deadLetters} />,
  },
  {
    key: 'success',
    header: t('lastSuccess'),
    width: 130,
    cell: ({ statistics: { lastSuccess } }) => lastSuccess && <FormattedTime at={lastSuccess} />,
  },
]

/** Webhooks with how their deliveries fare. */
export function WebhooksPage() {
  const t = useTranslator(developerTexts)
  const canManage = useHasRight('admin')
  const [isMaking, setMaking] = useState(false)
  const webhooksQuery = useQuery({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => apiClient.listWebhooks({ signal }),
  })
  const rows = useArrayTableRows<ListedApiWebhook>(webhooksQuery)
  const newWebhookButton = canManage && <Button onClick={() => setMaking(true)}>{t('newWebhook')}</Button>
  return (
    <DevelopersPage action={hasHeadAction(rows) && newWebhookButton}>
      <DataTable
        name="webhooks"
        cards={{ state: 'state', figures: ['pending', 'success'] }}
        label={t('webhooks')}
        rows={rows}
        columns={createColumns(t)}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/developers/webhooks/${id}`}
        empty={
          <EmptyState title={t('webhooksEmpty')} action={newWebhookButton}>
            {t('webhooksEmptyWhy')}
          </EmptyState>
        }
      />
      {isMaking && <NewWebhookDialog onClose={() => setMaking(false)} />}
    </DevelopersPage>
  )
}
