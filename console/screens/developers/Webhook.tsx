import { Button, Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import type { Answer } from '../../api/shapes.ts'
import { Badge } from '../../components/Badge.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { Facts, Panel, Split } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { Time } from '../../components/Time.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import { NewSecret } from './NewSecret.tsx'
import { developerTexts } from './texts.ts'
import { DeadLetters, Deliveries } from './WebhookDeliveries.tsx'
import { WebhookForm } from './WebhookForm.tsx'
import { type WebhookRow, WebhookState } from './webhook-state.tsx'

const route = getRouteApi('/developers/webhooks/$id')

type Test = Answer<'/webhooks/{id}/test', 'post'>
const at = (id: string) => ({ path: { id } })

function Tested({ test }: { test: Test }) {
  const t = useText(developerTexts)
  return (
    <p role="status">
      <Badge tone={test.success ? 'good' : 'bad'}>{String(test.status ?? t('noAnswer'))}</Badge>{' '}
      {t('ms', { ms: test.durationMs })} {test.detail}
    </p>
  )
}

/** What is told, where, and how it fares. */
function About({ webhook }: { webhook: WebhookRow }) {
  const t = useText(developerTexts)
  const facts = [
    { key: 'url', label: t('url'), value: <bdi>{webhook.url}</bdi> },
    { key: 'events', label: t('events'), value: webhook.events.join(', ') || t('allEvents') },
    { key: 'channels', label: t('channels'), value: webhook.channels.join(', ') || t('allEvents') },
    {
      key: 'batch',
      label: t('batch'),
      value: t('batchOf', { size: webhook.batch.size, ms: webhook.batch.waitMs }),
    },
    ...(webhook.statistics.lastFailure
      ? [{ key: 'failure', label: t('lastFailure'), value: <Time at={webhook.statistics.lastFailure} /> }]
      : []),
  ]
  return (
    <Panel title={t('about')}>
      <Facts facts={facts} />
    </Panel>
  )
}

function Loaded({ webhook }: { webhook: WebhookRow }) {
  const t = useText(developerTexts)
  const { id } = webhook
  const may = useMay('admin')
  const queries = useQueryClient()
  const navigate = route.useNavigate()
  const [tested, setTested] = useState<Test | null>(null)
  const [asked, setAsked] = useState<'deletion' | 'secret' | null>(null)
  const { tab } = route.useSearch()
  const path = `/developers/webhooks/${id}`
  const tabs = [
    { label: t('deliveriesTab'), to: path, search: {}, isOpen: tab === undefined },
    { label: t('settings'), to: path, search: { tab: 'settings' }, isOpen: tab === 'settings' },
  ]
  const test = useAct(async () => setTested(await data(api.POST('/webhooks/{id}/test', { params: at(id) }))))
  const toggle = useAct(async () => {
    await api.PUT('/webhooks/{id}', { params: at(id), body: { active: !webhook.active } })
    await queries.invalidateQueries({ queryKey: ['webhooks'] })
  })
  const remove = async (): Promise<void> => {
    await api.DELETE('/webhooks/{id}', { params: at(id) })
    await queries.invalidateQueries({ queryKey: ['webhooks'], exact: true })
    await navigate({ to: '/developers/webhooks' })
  }
  return (
    <Page
      title={webhook.name}
      parent={{ label: t('webhooks'), to: '/developers/webhooks' }}
      badge={<WebhookState webhook={webhook} />}
      {...(may && { tabs })}
      action={
        may && (
          <Button loading={test.isBusy} onClick={() => void test.run()}>
            {t('test')}
          </Button>
        )
      }
      menu={
        may && (
          <>
            <Menu.Item onClick={() => void toggle.run()}>{t(webhook.active ? 'deactivate' : 'activate')}</Menu.Item>
            <Menu.Item onClick={() => setAsked('secret')}>{t('newSecret')}</Menu.Item>
            <Menu.Item color="red" onClick={() => setAsked('deletion')}>
              {t('delete')}
            </Menu.Item>
          </>
        )
      }
    >
      <Split aside={<About webhook={webhook} />}>
        {[test.error, toggle.error].map((error) => error !== null && <Problem key={String(error)} error={error} />)}
        {tested && <Tested test={tested} />}
        {may && tab === 'settings' ? (
          <WebhookForm webhook={webhook} />
        ) : (
          <>
            <DeadLetters webhook={webhook} may={may} />
            {may && <Deliveries id={id} />}
          </>
        )}
      </Split>
      {asked === 'secret' && <NewSecret webhook={webhook} onClose={() => setAsked(null)} />}
      {asked === 'deletion' && (
        <Confirm title={t('delete')} action={t('delete')} onConfirm={remove} onClose={() => setAsked(null)}>
          {t('deleteWhy')}
        </Confirm>
      )}
    </Page>
  )
}

/** One webhook: its deliveries, what could not be delivered, a test; and its settings. */
export function Webhook() {
  const t = useText(developerTexts)
  const { id } = route.useParams()
  const read = useQuery({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => data(api.GET('/webhooks/{id}', { params: at(id), signal })),
  })
  if (read.data) return <Loaded webhook={read.data} />
  return (
    <Page title={t('webhooks')}>
      {read.error ? <Problem error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton />}
    </Page>
  )
}
