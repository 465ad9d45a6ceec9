import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { DefinedTerm } from '../../components/layout/DefinedTerm.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { PlainTable } from '../../components/layout/PlainTable.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { RightGuard } from '../../components/RightGuard.tsx'
import { type BadgeTone, StateBadge } from '../../components/StateBadge.tsx'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Deliverability.module.css'
import { DeliverabilityPage } from './DeliverabilityPage.tsx'
import { deliverabilityTexts } from './texts.ts'

const LIVE_MS = 5000
const lanes = ['urgent', 'transactional', 'bulk'] as const

type Queue = ApiAnswer<'/settings/sending/queues', 'get'>[number]
type Operation = 'hold' | 'release' | 'flush'

const TONES: Record<Queue['state'], BadgeTone> = { open: 'good', slow: 'warning', suspended: 'bad', held: 'neutral' }
const waitingOf = ({ lanes: all }: Queue): number => all.reduce((sum, { waiting }) => sum + waiting, 0)

function Lane({ queue, lane: name }: { queue: Queue; lane: (typeof lanes)[number] }) {
  const t = useTranslator(deliverabilityTexts)
  const lane = queue.lanes.find((one) => one.lane === name)
  return (
    <td data-number>
      {lane && (
        <>
          <FormattedNumber value={lane.waiting} />
          <small>
            <FormattedTime at={lane.oldest} />
          </small>
          {lane.postponed > 0 && <small>{t('postponed', { count: lane.postponed })}</small>}
        </>
      )}
    </td>
  )
}

function State({ queue }: { queue: Queue }) {
  const t = useTranslator(deliverabilityTexts)
  const until = queue.state === 'held' ? queue.heldSince : queue.suspendedUntil
  return (
    <>
      <StateBadge tone={TONES[queue.state]} hint={t(`${queue.state}Why`)}>
        {t(queue.state === 'held' ? 'heldState' : queue.state)}
      </StateBadge>
      {until && (
        <small>
          {t(queue.state === 'held' ? 'since' : 'until')} <FormattedTime at={until} as="moment" />
        </small>
      )}
      {queue.rate !== null && <small>{t('rate', { rate: queue.rate, connections: queue.connections ?? 0 })}</small>}
    </>
  )
}

function Acts({ queue, onAct }: { queue: Queue; onAct(operation: Operation): void }) {
  const t = useTranslator(deliverabilityTexts)
  if (queue.destination === null) return null
  const operations: Operation[] = queue.state === 'held' ? ['release'] : ['hold', 'flush']
  return (
    <span className={styles['acts']}>
      {operations.map((operation) => (
        <Button
          key={operation}
          size="compact-sm"
          variant="default"
          title={t(`${operation}Why`)}
          onClick={() => onAct(operation)}
        >
          {t(operation)}
        </Button>
      ))}
    </span>
  )
}

function QueueTable({ rows, onAct }: { rows: readonly Queue[]; onAct(queue: Queue, operation: Operation): void }) {
  const t = useTranslator(deliverabilityTexts)
  return (
    <PlainTable label={t('queues')}>
      <thead>
        <tr>
          <th scope="col">{t('destination')}</th>
          <th scope="col">{t('state')}</th>
          {lanes.map((lane) => (
            <th key={lane} scope="col" data-number>
              <DefinedTerm definition={t(`${lane}Why`)}>{t(lane)}</DefinedTerm>
            </th>
          ))}
          <th scope="col">{t('lastRefusal')}</th>
          <th scope="col">{t('actions')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((queue) => (
          <tr key={queue.destination}>
            <th scope="row">
              <bdi>{queue.destination ?? t('unrouted')}</bdi>
            </th>
            <td>
              <State queue={queue} />
            </td>
            {lanes.map((lane) => (
              <Lane key={lane} queue={queue} lane={lane} />
            ))}
            <td className={styles['words']}>
              <bdi>{queue.lastRefusal}</bdi>
              {queue.lastRefusalDate && (
                <small>
                  <FormattedTime at={queue.lastRefusalDate} />
                </small>
              )}
            </td>
            <td>
              <Acts queue={queue} onAct={(operation) => onAct(queue, operation)} />
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}

interface Asked {
  queue: Queue
  operation: Operation
}

function QueuePage() {
  const t = useTranslator(deliverabilityTexts)
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [error, setError] = useState<unknown>(null)
  const read = useQuery({
    queryKey: ['queues'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/settings/sending/queues', { signal })),
    refetchInterval: LIVE_MS,
    refetchIntervalInBackground: false,
  })
  const act = async (destination: string, operation: Operation): Promise<void> => {
    const params = { path: { destination } }
    await apiClient.POST('/settings/sending/queues/{destination}', { params, body: { operation } })
    await queries.invalidateQueries({ queryKey: ['queues'] })
  }
  const start = (queue: Queue, operation: Operation): void => {
    const { destination } = queue
    if (destination === null) return
    setError(null)
    if (operation === 'flush') {
      setAsked({ queue, operation })
      return
    }
    const back = operation === 'hold' ? 'release' : 'hold'
    act(destination, operation).then(
      () => showToast(t(`${operation}Done`, { destination }), () => void act(destination, back).catch(setError)),
      setError,
    )
  }
  const rows = (read.data ?? []).toSorted((a, b) => waitingOf(b) - waitingOf(a))
  return (
    <DeliverabilityPage>
      <div className={styles['parts']}>
        {[read.error, error].map((one) => one != null && <ProblemAlert key={String(one)} error={one} />)}
        {read.isPending && <LoadingSkeleton />}
        {read.data && rows.length === 0 && <EmptyState title={t('queuesEmpty')}>{t('queuesEmptyWhy')}</EmptyState>}
        {rows.length > 0 && <QueueTable rows={rows} onAct={start} />}
      </div>
      {asked?.queue.destination && (
        <ConfirmDialog
          title={t('flush')}
          action={t('flush')}
          isDangerous={false}
          onConfirm={() => act(asked.queue.destination ?? '', asked.operation)}
          onClose={() => setAsked(null)}
        >
          {t('flushAsk', { count: waitingOf(asked.queue), destination: asked.queue.destination })}
        </ConfirmDialog>
      )}
    </DeliverabilityPage>
  )
}

/** What waits to be sent, by destination and lane: held, released, tried at once. */
export function QueuesPage() {
  return (
    <RightGuard right="admin" to="/deliverability">
      <QueuePage />
    </RightGuard>
  )
}
