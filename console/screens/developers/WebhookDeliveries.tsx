import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { PlainTable } from '../../components/layout/PlainTable.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Developers.module.css'
import { developerTexts } from './texts.ts'
import type { ListedApiWebhook } from './webhook-state.tsx'

const LIVE_INTERVAL_MS = 5000
const MAX_DELIVERIES = 50
const buildParams = (id: string) => ({ path: { id } })

/** The requests of the last hour, as they were answered. */
export function WebhookDeliveries({ id }: { id: string }) {
  const t = useTranslator(developerTexts)
  const deliveriesQuery = useQuery({
    queryKey: ['webhooks', id, 'deliveries'],
    queryFn: ({ signal }) =>
      apiClient.listWebhookDeliveries({ ...buildParams(id), query: { limit: MAX_DELIVERIES }, signal }),
    refetchInterval: LIVE_INTERVAL_MS,
    refetchIntervalInBackground: false,
  })
  return (
    <PagePanel title={t('deliveries')}>
      {deliveriesQuery.error && (
        <ProblemAlert error={deliveriesQuery.error} onRetry={() => void deliveriesQuery.refetch()} />
      )}
      {deliveriesQuery.data?.length === 0 && <p className={styles['quiet']}>{t('deliveriesNone')}</p>}
      {deliveriesQuery.data && deliveriesQuery.data.length > 0 && (
        <PlainTable label={t('deliveries')}>
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
            {deliveriesQuery.data.map((delivery) => (
              <tr key={delivery.id}>
                <td>
                  <FormattedTime at={delivery.date} />
                </td>
                <td>
                  <StateBadge tone={delivery.success ? 'good' : 'bad'}>
                    {String(delivery.status ?? t('noAnswer'))}
                  </StateBadge>
                </td>
                <td data-number>{delivery.events}</td>
                <td data-number>{delivery.try}</td>
                <td data-number>{t('ms', { ms: delivery.durationMs })}</td>
                <td>{delivery.detail}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </PagePanel>
  )
}

/** Events that could not be delivered: they can be delivered again or deleted. */
export function WebhookDeadLetters({ webhook, may }: { webhook: ListedApiWebhook; may: boolean }) {
  const t = useTranslator(developerTexts)
  const { id } = webhook
  const queryClient = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const deadLettersQuery = useQuery({
    queryKey: ['webhooks', id, 'dead'],
    queryFn: ({ signal }) =>
      apiClient.listWebhookDeadLetters({ ...buildParams(id), query: { limit: MAX_DELIVERIES }, signal }),
  })
  const refreshWebhooks = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] })
  const replayDeadLetters = useAsyncAction(async () => {
    await apiClient.replayWebhookDeadLetters({ ...buildParams(id), body: {} })
    showToast(t('replayed'))
    await refreshWebhooks()
  })
  const deleteDeadLetters = async (): Promise<void> => {
    await apiClient.deleteWebhookDeadLetters({ ...buildParams(id), body: {} })
    await refreshWebhooks()
  }
  const count = webhook.statistics.deadLetters
  if (!deadLettersQuery.error && (deadLettersQuery.data?.length ?? 0) === 0) return null
  const panelTools = may && (
    <span className={styles['acts']}>
      <Button
        size="compact-sm"
        variant="default"
        loading={replayDeadLetters.isBusy}
        onClick={() => void replayDeadLetters.run()}
      >
        {t('replay')}
      </Button>
      <Button size="compact-sm" variant="subtle" color="red" onClick={() => setDeleting(true)}>
        {t('deleteAll')}
      </Button>
    </span>
  )
  return (
    <PagePanel title={t('deadLetters')} tools={panelTools}>
      {[deadLettersQuery.error, replayDeadLetters.error].map(
        (error) => error !== null && <ProblemAlert key={String(error)} error={error} />,
      )}
      <PlainTable label={t('deadLetters')}>
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
          {(deadLettersQuery.data ?? []).map((letter) => (
            <tr key={letter.id}>
              <td>
                <FormattedTime at={letter.deadDate} />
              </td>
              <td>{letter.events.slice(0, 4).join(', ')}</td>
              <td data-number>{letter.tries}</td>
              <td>{letter.detail}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {isDeleting && (
        <ConfirmDialog
          title={t('deleteAll')}
          action={t('deleteAll')}
          onConfirm={deleteDeadLetters}
          onClose={() => setDeleting(false)}
        >
          {t('deadDeleteAsk', { count })}
        </ConfirmDialog>
      )}
    </PagePanel>
  )
}
