import { Button, Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { FactList, PagePanel, TwoColumnLayout } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { NewWebhookSecretDialog } from './NewWebhookSecretDialog.tsx'
import { developerTexts } from './texts.ts'
import { WebhookDeadLetters, WebhookDeliveries } from './WebhookDeliveries.tsx'
import { WebhookForm } from './WebhookForm.tsx'
import { type ListedApiWebhook, WebhookStateBadge } from './webhook-state.tsx'

const route = getRouteApi('/developers/webhooks/$id')

type Test = ApiAnswer<'/webhooks/{id}/test', 'post'>
const at = (id: string) => ({ path: { id } })

function Tested({ test }: { test: Test }) {
  const t = useTranslator(developerTexts)
  return (
    <p role="status">
      <StateBadge tone={test.success ? 'good' : 'bad'}>{String(test.status ?? t('noAnswer'))}</StateBadge>{' '}
      {t('ms', { ms: test.durationMs })} {test.detail}
    </p>
  )
}

/** What is told, where, and how it fares. */
function About({ webhook }: { webhook: ListedApiWebhook }) {
  const t = useTranslator(developerTexts)
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
      ? [{ key: 'failure', label: t('lastFailure'), value: <FormattedTime at={webhook.statistics.lastFailure} /> }]
      : []),
  ]
  return (
    <PagePanel title={t('about')}>
      <FactList facts={facts} />
    </PagePanel>
  )
}

function Loaded({ webhook }: { webhook: ListedApiWebhook }) {
  const t = useTranslator(developerTexts)
  const { id } = webhook
  const may = useHasRight('admin')
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
  const test = useAsyncAction(async () =>
    setTested(await readAnswer(apiClient.POST('/webhooks/{id}/test', { params: at(id) }))),
  )
  const toggle = useAsyncAction(async () => {
    await apiClient.PUT('/webhooks/{id}', { params: at(id), body: { active: !webhook.active } })
    await queries.invalidateQueries({ queryKey: ['webhooks'] })
  })
  const remove = async (): Promise<void> => {
    await apiClient.DELETE('/webhooks/{id}', { params: at(id) })
    await queries.invalidateQueries({ queryKey: ['webhooks'], exact: true })
    await navigate({ to: '/developers/webhooks' })
  }
  return (
    <ScreenPage
      title={webhook.name}
      parent={{ label: t('webhooks'), to: '/developers/webhooks' }}
      badge={<WebhookStateBadge webhook={webhook} />}
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
      <TwoColumnLayout aside={<About webhook={webhook} />}>
        {[test.error, toggle.error].map(
          (error) => error !== null && <ProblemAlert key={String(error)} error={error} />,
        )}
        {tested && <Tested test={tested} />}
        {may && tab === 'settings' ? (
          <WebhookForm webhook={webhook} />
        ) : (
          <>
            <WebhookDeadLetters webhook={webhook} may={may} />
            {may && <WebhookDeliveries id={id} />}
          </>
        )}
      </TwoColumnLayout>
      {asked === 'secret' && <NewWebhookSecretDialog webhook={webhook} onClose={() => setAsked(null)} />}
      {asked === 'deletion' && (
        <ConfirmDialog title={t('delete')} action={t('delete')} onConfirm={remove} onClose={() => setAsked(null)}>
          {t('deleteWhy')}
        </ConfirmDialog>
      )}
    </ScreenPage>
  )
}

/** One webhook: its deliveries, what could not be delivered, a test; and its settings. */
export function WebhookPage() {
  const t = useTranslator(developerTexts)
  const { id } = route.useParams()
  const read = useQuery({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/webhooks/{id}', { params: at(id), signal })),
  })
  if (read.data) return <Loaded webhook={read.data} />
  return (
    <ScreenPage title={t('webhooks')}>
      {read.error ? <ProblemAlert error={read.error} onRetry={() => void read.refetch()} /> : <LoadingSkeleton />}
    </ScreenPage>
  )
}
