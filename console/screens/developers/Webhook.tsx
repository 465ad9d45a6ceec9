import { Button, Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import type { Answer } from '../../api/shapes.ts'
import { tell } from '../../frame/toasts.tsx'
import { Badge } from '../../parts/Badge.tsx'
import { Confirm } from '../../parts/Confirm.tsx'
import { Page } from '../../parts/Page.tsx'
import { Facts, Panel, Split } from '../../parts/Panel.tsx'
import { Problem } from '../../parts/Problem.tsx'
import { Sheet } from '../../parts/Sheet.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Time } from '../../parts/Time.tsx'
import { useAct } from '../../parts/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './Developers.module.css'
import { developerTexts } from './texts.ts'
import { type WebhookRow, WebhookState } from './webhook-state.tsx'

const route = getRouteApi('/developers/webhooks/$id')
const LIVE_MS = 5000
const SHOWN = 50

type Test = Answer<'/webhooks/{id}/test', 'post'>
const at = (id: string) => ({ path: { id } })

/** The requests of the last hour, as they were answered. */
function Deliveries({ id }: { id: string }) {
  const t = useText(developerTexts)
  const read = useQuery({
    queryKey: ['webhooks', id, 'deliveries'],
    queryFn: ({ signal }) =>
      data(api.GET('/webhooks/{id}/deliveries', { params: { ...at(id), query: { limit: SHOWN } }, signal })),
    refetchInterval: LIVE_MS,
    refetchIntervalInBackground: false,
  })
  return (
    <Panel title={t('deliveries')}>
      {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
      {read.data?.length === 0 && <p className={styles['quiet']}>{t('deliveriesNone')}</p>}
      {read.data && read.data.length > 0 && (
        <Sheet label={t('deliveries')}>
          <thead>
            <tr>
              <th scope="col">{t('time')}</th>
              <th scope="col">{t('answer')}</th>
              <th scope="col" data-number>
                {t('events')}
              </th>
              <th scope="col" data-number>
                {t('try')}
              </th>
              <th scope="col" data-number>
                {t('duration')}
              </th>
              <th scope="col">{t('detail')}</th>
            </tr>
          </thead>
          <tbody>
            {read.data.map((one) => (
              <tr key={one.id}>
                <td>
                  <Time at={one.date} />
                </td>
                <td>
                  <Badge tone={one.success ? 'good' : 'bad'}>{String(one.status ?? t('noAnswer'))}</Badge>
                </td>
                <td data-number>{one.events}</td>
                <td data-number>{one.try}</td>
                <td data-number>{t('ms', { ms: one.durationMs })}</td>
                <td>{one.detail}</td>
              </tr>
            ))}
          </tbody>
        </Sheet>
      )}
    </Panel>
  )
}

/** What could not be delivered: delivered again, or deleted. */
function DeadLetters({ webhook, may }: { webhook: WebhookRow; may: boolean }) {
  const t = useText(developerTexts)
  const { id } = webhook
  const queries = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const read = useQuery({
    queryKey: ['webhooks', id, 'dead'],
    queryFn: ({ signal }) =>
      data(api.GET('/webhooks/{id}/deadletters', { params: { ...at(id), query: { limit: SHOWN } }, signal })),
  })
  const again = () => queries.invalidateQueries({ queryKey: ['webhooks'] })
  const replay = useAct(async () => {
    await api.POST('/webhooks/{id}/deadletters/replay', { params: at(id), body: {} })
    tell(t('replayed'))
    await again()
  })
  const remove = async (): Promise<void> => {
    await api.DELETE('/webhooks/{id}/deadletters', { params: at(id), body: {} })
    await again()
  }
  const count = webhook.statistics.deadLetters
  if (!read.error && (read.data?.length ?? 0) === 0) return null
  const tools = may && (
    <span className={styles['acts']}>
      <Button size="compact-sm" variant="default" loading={replay.isBusy} onClick={() => void replay.run()}>
        {t('replay')}
      </Button>
      <Button size="compact-sm" variant="subtle" color="red" onClick={() => setDeleting(true)}>
        {t('deleteAll')}
      </Button>
    </span>
  )
  return (
    <Panel title={t('deadLetters')} tools={tools}>
      {[read.error, replay.error].map((error) => error !== null && <Problem key={String(error)} error={error} />)}
      <Sheet label={t('deadLetters')}>
        <thead>
          <tr>
            <th scope="col">{t('givenUp')}</th>
            <th scope="col">{t('events')}</th>
            <th scope="col" data-number>
              {t('tries')}
            </th>
            <th scope="col">{t('detail')}</th>
          </tr>
        </thead>
        <tbody>
          {(read.data ?? []).map((letter) => (
            <tr key={letter.id}>
              <td>
                <Time at={letter.deadDate} />
              </td>
              <td>{letter.events.slice(0, 4).join(', ')}</td>
              <td data-number>{letter.tries}</td>
              <td>{letter.detail}</td>
            </tr>
          ))}
        </tbody>
      </Sheet>
      {isDeleting && (
        <Confirm title={t('deleteAll')} action={t('deleteAll')} onConfirm={remove} onClose={() => setDeleting(false)}>
          {t('deadDeleteAsk', { count })}
        </Confirm>
      )}
    </Panel>
  )
}

function Tested({ test }: { test: Test }) {
  const t = useText(developerTexts)
  return (
    <p role="status">
      <Badge tone={test.success ? 'good' : 'bad'}>{String(test.status ?? t('noAnswer'))}</Badge>{' '}
      {t('ms', { ms: test.durationMs })} {test.detail}
    </p>
  )
}

function Loaded({ webhook }: { webhook: WebhookRow }) {
  const t = useText(developerTexts)
  const { id } = webhook
  const may = useMay('admin')
  const queries = useQueryClient()
  const navigate = route.useNavigate()
  const [tested, setTested] = useState<Test | null>(null)
  const [isDeleting, setDeleting] = useState(false)
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
    <Page
      title={webhook.name}
      parent={{ label: t('webhooks'), to: '/developers/webhooks' }}
      badge={<WebhookState webhook={webhook} />}
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
            <Menu.Item color="red" onClick={() => setDeleting(true)}>
              {t('delete')}
            </Menu.Item>
          </>
        )
      }
    >
      <Split
        aside={
          <Panel title={t('about')}>
            <Facts facts={facts} />
          </Panel>
        }
      >
        {[test.error, toggle.error].map((error) => error !== null && <Problem key={String(error)} error={error} />)}
        {tested && <Tested test={tested} />}
        <DeadLetters webhook={webhook} may={may} />
        {may && <Deliveries id={id} />}
      </Split>
      {isDeleting && (
        <Confirm title={t('delete')} action={t('delete')} onConfirm={remove} onClose={() => setDeleting(false)}>
          {t('deleteWhy')}
        </Confirm>
      )}
    </Page>
  )
}

/** One webhook: its deliveries, what could not be delivered, a test. */
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
