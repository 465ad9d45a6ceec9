import { Button, Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
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

type WebhookTest = ApiAnswer<'testWebhook'>
const buildParams = (id: string) => ({ path: { id } })

function TestResult({ test }: { test: WebhookTest }) {
  const t = useTranslator(developerTexts)
  return (
    <p role="status">
      <StateBadge tone={test.success ? 'good' : 'bad'}>{String(test.status ?? t('noAnswer'))}</StateBadge>{' '}
      {t('ms', { ms: test.durationMs })} {test.detail}
    </p>
  )
}

/** Target, reported events and delivery state of a webhook. */
function WebhookDetails({ webhook }: { webhook: ListedApiWebhook }) {
  const t = useTranslator(developerTexts)
  const webhookDetails = [
    { key: 'url', label: t('url'), value: <bdi>{webhook.url}</bdi> },
    { key: 'events', label: t('events'), value: webhook.events.join(', ') || t('allEvents') },
    { key: 'channels', label: t('channels'), value: webhook.channels.join(', ') || t('allEvents') },
    {
      key: 'batch',
      label: t('batch'),
      value: t('batchOf', { count: webhook.batch.size, ms: webhook.batch.waitMs }),
    },
    ...(webhook.statistics.lastFailure
      ? [{ key: 'failure', label: t('lastFailure'), value: <FormattedTime at={webhook.statistics.lastFailure} /> }]
      : []),
  ]
  return (
    <PagePanel title={t('about')}>
      <FactList facts={webhookDetails} />
    </PagePanel>
  )
}

function LoadedWebhook({ webhook }: { webhook: ListedApiWebhook }) {
  const t = useTranslator(developerTexts)
  const { id } = webhook
  const canManage = useHasRight('admin')
  const queryClient = useQueryClient()
  const navigate = route.useNavigate()
  const [testResult, setTested] = useState<WebhookTest | null>(null)
  const [openDialog, setOpenDialog] = useState<'deletion' | 'secret' | null>(null)
  const { tab } = route.useSearch()
  const path = `/developers/webhooks/${id}`
  const pageTabs = [
    { label: t('deliveriesTab'), to: path, search: {}, isOpen: tab === undefined },
    { label: t('settings'), to: path, search: { tab: 'settings' }, isOpen: tab === 'settings' },
  ]
  const sendTest = useAsyncAction(async () => setTested(await apiClient.testWebhook(buildParams(id))))
  const toggleActive = useAsyncAction(async () => {
    await apiClient.updateWebhook({ ...buildParams(id), body: { active: !webhook.active } })
    await queryClient.invalidateQueries({ queryKey: ['webhooks'] })
  })
  const deleteWebhook = async (): Promise<void> => {
    await apiClient.deleteWebhook(buildParams(id))
    await queryClient.invalidateQueries({ queryKey: ['webhooks'], exact: true })
    await navigate({ to: '/developers/webhooks' })
  }
  return (
    <ScreenPage
      title={webhook.name}
      parent={{ label: t('webhooks'), to: '/developers/webhooks' }}
      badge={<WebhookStateBadge webhook={webhook} />}
      {...(canManage && { tabs: pageTabs })}
      action={
        canManage && (
          <Button loading={sendTest.isBusy} onClick={() => void sendTest.run()}>
            {t('test')}
          </Button>
        )
      }
      menu={
        canManage && (
          <>
            <Menu.Item onClick={() => void toggleActive.run()}>
              {t(webhook.active ? 'deactivate' : 'activate')}
            </Menu.Item>
            <Menu.Item onClick={() => setOpenDialog('secret')}>{t('newSecret')}</Menu.Item>
            <Menu.Item color="red" onClick={() => setOpenDialog('deletion')}>
              {t('delete')}
            </Menu.Item>
          </>
        )
      }
    >
      <TwoColumnLayout aside={<WebhookDetails webhook={webhook} />}>
        {[sendTest.error, toggleActive.error].map(
          (error) => error !== null && <ProblemAlert key={String(error)} error={error} />,
        )}
        {testResult && <TestResult test={testResult} />}
        {canManage && tab === 'settings' ? (
          <WebhookForm webhook={webhook} />
        ) : (
          <>
            <WebhookDeadLetters webhook={webhook} may={canManage} />
            {canManage && <WebhookDeliveries id={id} />}
          </>
        )}
      </TwoColumnLayout>
      {openDialog === 'secret' && <NewWebhookSecretDialog webhook={webhook} onClose={() => setOpenDialog(null)} />}
      {openDialog === 'deletion' && (
        <ConfirmDialog
          title={t('delete')}
          action={t('delete')}
          onConfirm={deleteWebhook}
          onClose={() => setOpenDialog(null)}
        >
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
  const webhookQuery = useQuery({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => apiClient.getWebhook({ ...buildParams(id), signal }),
  })
  if (webhookQuery.data) return <LoadedWebhook webhook={webhookQuery.data} />
  return (
    <ScreenPage title={t('webhooks')}>
      {webhookQuery.error ? (
        <ProblemAlert error={webhookQuery.error} onRetry={() => void webhookQuery.refetch()} />
      ) : (
        <LoadingSkeleton />
      )}
    </ScreenPage>
  )
}
