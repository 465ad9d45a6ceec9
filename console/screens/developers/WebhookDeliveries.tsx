import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
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

const LIVE_MS = 5000
const SHOWN = 50
const at = (id: string) => ({ path: { id } })

/** The requests of the last hour, as they were answered. */
export function WebhookDeliveries({ id }: { id: string }) {
  const t = useTranslator(developerTexts)
  const read = useQuery({
    queryKey: ['webhooks', id, 'deliveries'],
    queryFn: ({ signal }) =>
      readAnswer(
        apiClient.GET('/webhooks/{id}/deliveries', { params: { ...at(id), query: { limit: SHOWN } }, signal }),
      ),
    refetchInterval: LIVE_MS,
    refetchIntervalInBackground: false,
  })
  return (
    <PagePanel title={t('deliveries')}>
      {read.error && <ProblemAlert error={read.error} onRetry={() => void read.refetch()} />}
      {read.data?.length === 0 && <p className={styles['quiet']}>{t('deliveriesNone')}</p>}
      {read.data && read.data.length > 0 && (
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
            {read.data.map((one) => (
              <tr key={one.id}>
                <td>
                  <FormattedTime at={one.date} />
                </td>
                <td>
                  <StateBadge tone={one.success ? 'good' : 'bad'}>{String(one.status ?? t('noAnswer'))}</StateBadge>
                </td>
                <td data-number>{one.events}</td>
                <td data-number>{one.try}</td>
                <td data-number>{t('ms', { ms: one.durationMs })}</td>
                <td>{one.detail}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </PagePanel>
  )
}

/** What could not be delivered: delivered again, or deleted. */
export function WebhookDeadLetters({ webhook, may }: { webhook: ListedApiWebhook; may: boolean }) {
  const t = useTranslator(developerTexts)
  const { id } = webhook
  const queries = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const read = useQuery({
    queryKey: ['webhooks', id, 'dead'],
    queryFn: ({ signal }) =>
      readAnswer(
        apiClient.GET('/webhooks/{id}/deadletters', { params: { ...at(id), query: { limit: SHOWN } }, signal }),
      ),
  })
  const again = () => queries.invalidateQueries({ queryKey: ['webhooks'] })
  const replay = useAsyncAction(async () => {
    await apiClient.POST('/webhooks/{id}/deadletters/replay', { params: at(id), body: {} })
    showToast(t('replayed'))
    await again()
  })
  const remove = async (): Promise<void> => {
    await apiClient.DELETE('/webhooks/{id}/deadletters', { params: at(id), body: {} })
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
    <PagePanel title={t('deadLetters')} tools={tools}>
      {[read.error, replay.error].map((error) => error !== null && <ProblemAlert key={String(error)} error={error} />)}
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
          {(read.data ?? []).map((letter) => (
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
          onConfirm={remove}
          onClose={() => setDeleting(false)}
        >
          {t('deadDeleteAsk', { count })}
        </ConfirmDialog>
      )}
    </PagePanel>
  )
}
