import { Button, Modal, MultiSelect, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { Empty } from '../../components/layout/Empty.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Num } from '../../components/Num.tsx'
import { Time } from '../../components/Time.tsx'
import type { Column } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useArrayRows } from '../../components/table/rows.ts'
import { useAct } from '../../components/use-act.ts'
import { type Text, useText } from '../../text/catalogue.ts'
import styles from './Developers.module.css'
import { DevelopersPage } from './DevelopersPage.tsx'
import type en from './en.ts'
import { developerTexts } from './texts.ts'
import { eventKinds, type WebhookRow, WebhookState } from './webhook-state.tsx'

/** Makes a webhook; its secret is shown this once. */
function NewWebhook({ onClose }: { onClose(): void }) {
  const t = useText(developerTexts)
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('https://')
  const [events, setEvents] = useState<string[]>(['hits', 'bounces'])
  const [secret, setSecret] = useState<string | null>(null)
  const make = useAct(async () => {
    const body = { name, url, events: eventKinds.filter((kind) => events.includes(kind)) }
    const made = await data(api.POST('/webhooks', { body }))
    setSecret(made.secret)
    await queries.invalidateQueries({ queryKey: ['webhooks'] })
  })
  return (
    <Modal opened onClose={onClose} title={t('newWebhook')} size={480} closeButtonProps={{ 'aria-label': t('close') }}>
      {secret === null ? (
        <form onSubmit={make.submit} className={styles['form']}>
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
          <MultiSelect label={t('events')} searchable data={eventKinds} value={events} onChange={setEvents} />
          {make.error !== null && <Problem error={make.error} />}
          <Button type="submit" loading={make.isBusy} disabled={events.length === 0}>
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

const columnsOf = (t: Text<typeof en>): Column<WebhookRow>[] => [
  { key: 'name', header: t('name'), width: 160, grow: 2, cell: ({ name }) => <bdi>{name}</bdi> },
  { key: 'state', header: t('state'), width: 120, cell: (webhook) => <WebhookState webhook={webhook} /> },
  { key: 'url', header: t('url'), width: 240, grow: 2, cell: ({ url }) => <bdi>{url}</bdi> },
  {
    key: 'pending',
    header: t('pending'),
    width: 100,
    align: 'end',
    cell: ({ statistics }) => <Num value={statistics.pending} />,
  },
  {
    key: 'dead',
    header: t('deadLetters'),
    width: 120,
    align: 'end',
    cell: ({ statistics }) => <Num value={statistics.deadLetters} />,
  },
  {
    key: 'success',
    header: t('lastSuccess'),
    width: 130,
    cell: ({ statistics: { lastSuccess } }) => lastSuccess && <Time at={lastSuccess} />,
  },
]

/** Webhooks with how their deliveries fare. */
export function Webhooks() {
  const t = useText(developerTexts)
  const may = useMay('admin')
  const [isMaking, setMaking] = useState(false)
  const read = useQuery({ queryKey: ['webhooks'], queryFn: ({ signal }) => data(api.GET('/webhooks', { signal })) })
  const rows = useArrayRows<WebhookRow>(read)
  const fresh = may && <Button onClick={() => setMaking(true)}>{t('newWebhook')}</Button>
  return (
    <DevelopersPage action={rows.total > 0 && fresh}>
      <DataTable
        name="webhooks"
        label={t('webhooks')}
        rows={rows}
        columns={columnsOf(t)}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/developers/webhooks/${id}`}
        empty={
          <Empty title={t('webhooksEmpty')} action={fresh}>
            {t('webhooksEmptyWhy')}
          </Empty>
        }
      />
      {isMaking && <NewWebhook onClose={() => setMaking(false)} />}
    </DevelopersPage>
  )
}
