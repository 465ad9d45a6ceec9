import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { Badge } from '../../components/Badge.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Sheet } from '../../components/layout/Sheet.tsx'
import { Time } from '../../components/Time.tsx'
import { useAct } from '../../components/use-act.ts'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from './Developers.module.css'
import { developerTexts } from './texts.ts'
import type { WebhookRow } from './webhook-state.tsx'

const LIVE_MS = 5000
const SHOWN = 50
const at = (id: string) => ({ path: { id } })

/** The requests of the last hour, as they were answered. */
export function Deliveries({ id }: { id: string }) {
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
export function DeadLetters({ webhook, may }: { webhook: WebhookRow; may: boolean }) {
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
