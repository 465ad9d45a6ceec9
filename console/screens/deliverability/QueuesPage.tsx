import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
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
import { nameProvider } from './provider-names.ts'
import { deliverabilityTexts } from './texts.ts'

const LIVE_INTERVAL_MS = 5000
const QUEUE_LANES = ['urgent', 'transactional', 'bulk'] as const

type Queue = ApiAnswer<'listSendingQueues'>[number]
type QueueOperation = 'hold' | 'release' | 'flush'

const STATE_TONES: Record<Queue['state'], BadgeTone> = {
  open: 'good',
  slow: 'warning',
  suspended: 'bad',
  held: 'neutral',
}
const countWaiting = ({ lanes: queueLanes }: Queue): number =>
  queueLanes.reduce((sum, { waiting: waitingCount }) => sum + waitingCount, 0)

function LaneCell({ queue, lane: name }: { queue: Queue; lane: (typeof QUEUE_LANES)[number] }) {
  const t = useTranslator(deliverabilityTexts)
  const queueLane = queue.lanes.find((candidate) => candidate.lane === name)
  return (
    <td data-number>
      {queueLane && (
        <>
          <FormattedNumber value={queueLane.waiting} />
          <small>
            <FormattedTime at={queueLane.oldest} />
          </small>
          {queueLane.postponed > 0 && <small>{t('postponed', { count: queueLane.postponed })}</small>}
        </>
      )}
    </td>
  )
}

function StateCell({ queue }: { queue: Queue }) {
  const t = useTranslator(deliverabilityTexts)
  const stateDate = queue.state === 'held' ? queue.heldSince : queue.suspendedUntil
  return (
    <>
      <StateBadge tone={STATE_TONES[queue.state]} hint={t(`${queue.state}Why`)}>
        {t(queue.state === 'held' ? 'heldState' : queue.state)}
      </StateBadge>
      {stateDate && (
        <small>
          {t(queue.state === 'held' ? 'since' : 'until')} <FormattedTime at={stateDate} as="moment" />
        </small>
      )}
      {queue.rate !== null && <small>{t('rate', { rate: queue.rate, connections: queue.connections ?? 0 })}</small>}
    </>
  )
}

function QueueActions({ queue, onAct }: { queue: Queue; onAct(operation: QueueOperation): void }) {
  const t = useTranslator(deliverabilityTexts)
  if (queue.destination === null) return null
  const operations: QueueOperation[] = queue.state === 'held' ? ['release'] : ['hold', 'flush']
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

function QueueTable({ rows, onAct }: { rows: readonly Queue[]; onAct(queue: Queue, operation: QueueOperation): void }) {
  const t = useTranslator(deliverabilityTexts)
  return (
    <PlainTable label={t('queues')}>
      <thead>
        <tr>
          <th scope="col">{t('destination')}</th>
          <th scope="col">{t('state')}</th>
          {QUEUE_LANES.map((lane) => (
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
              <bdi>{queue.destination === null ? t('unrouted') : nameProvider(queue.destination)}</bdi>
            </th>
            <td>
              <StateCell queue={queue} />
            </td>
            {QUEUE_LANES.map((lane) => (
              <LaneCell key={lane} queue={queue} lane={lane} />
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
              <QueueActions queue={queue} onAct={(operation) => onAct(queue, operation)} />
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}

interface PendingOperation {
  queue: Queue
  operation: QueueOperation
}

function QueueOverview() {
  const t = useTranslator(deliverabilityTexts)
  const queryClient = useQueryClient()
  const [pendingOperation, setPendingOperation] = useState<PendingOperation | null>(null)
  const [error, setError] = useState<unknown>(null)
  const queuesQuery = useQuery({
    queryKey: ['queues'],
    queryFn: ({ signal }) => apiClient.listSendingQueues({ signal }),
    refetchInterval: LIVE_INTERVAL_MS,
    refetchIntervalInBackground: false,
  })
  const runOperation = async (destination: string, operation: QueueOperation): Promise<void> => {
    const params = { path: { destination } }
    await apiClient.controlSendingQueue({ ...params, body: { operation } })
    await queryClient.invalidateQueries({ queryKey: ['queues'] })
  }
  const startOperation = (queue: Queue, operation: QueueOperation): void => {
    const { destination } = queue
    if (destination === null) return
    setError(null)
    if (operation === 'flush') {
      setPendingOperation({ queue, operation })
      return
    }
    const reverseOperation = operation === 'hold' ? 'release' : 'hold'
    runOperation(destination, operation).then(
      () =>
        showToast(
          t(`${operation}Done`, { destination: nameProvider(destination) }),
          () => void runOperation(destination, reverseOperation).catch(setError),
        ),
      setError,
    )
  }
  const rows = (queuesQuery.data ?? []).toSorted((a, b) => countWaiting(b) - countWaiting(a))
  return (
    <DeliverabilityPage>
      <div className={styles['parts']}>
        {[queuesQuery.error, error].map(
          (shownError) => shownError != null && <ProblemAlert key={String(shownError)} error={shownError} />,
        )}
        {queuesQuery.isPending && <LoadingSkeleton />}
        {queuesQuery.data && rows.length === 0 && (
          <EmptyState title={t('queuesEmpty')}>{t('queuesEmptyWhy')}</EmptyState>
        )}
        {rows.length > 0 && <QueueTable rows={rows} onAct={startOperation} />}
      </div>
      {pendingOperation?.queue.destination && (
        <ConfirmDialog
          title={t('flush')}
          action={t('flush')}
          isDangerous={false}
          onConfirm={() => runOperation(pendingOperation.queue.destination ?? '', pendingOperation.operation)}
          onClose={() => setPendingOperation(null)}
        >
          {t('flushAsk', {
            count: countWaiting(pendingOperation.queue),
            destination: nameProvider(pendingOperation.queue.destination),
          })}
        </ConfirmDialog>
      )}
    </DeliverabilityPage>
  )
}

/** Messages waiting to be sent, by destination and lane; they can be held, released or retried at once. */
export function QueuesPage() {
  return (
    <RightGuard right="admin" to="/deliverability">
      <QueueOverview />
    </RightGuard>
  )
}
