import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import { Allowed } from '../../components/Allowed.tsx'
import { Badge, type Tone } from '../../components/Badge.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { Defined } from '../../components/layout/Defined.tsx'
import { Empty } from '../../components/layout/Empty.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Sheet } from '../../components/layout/Sheet.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { Num } from '../../components/Num.tsx'
import { Time } from '../../components/Time.tsx'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from './Deliverability.module.css'
import { DeliverabilityPage } from './DeliverabilityPage.tsx'
import { deliverabilityTexts } from './texts.ts'

const LIVE_MS = 5000
const lanes = ['urgent', 'transactional', 'bulk'] as const

type Queue = Answer<'/settings/sending/queues', 'get'>[number]
type Operation = 'hold' | 'release' | 'flush'

const TONES: Record<Queue['state'], Tone> = { open: 'good', slow: 'warning', suspended: 'bad', held: 'neutral' }
const waitingOf = ({ lanes: all }: Queue): number => all.reduce((sum, { waiting }) => sum + waiting, 0)

function Lane({ queue, lane: name }: { queue: Queue; lane: (typeof lanes)[number] }) {
  const t = useText(deliverabilityTexts)
  const lane = queue.lanes.find((one) => one.lane === name)
  return (
    <td data-number>
      {lane && (
        <>
          <Num value={lane.waiting} />
          <small>
            <Time at={lane.oldest} />
          </small>
          {lane.postponed > 0 && <small>{t('postponed', { count: lane.postponed })}</small>}
        </>
      )}
    </td>
  )
}

function State({ queue }: { queue: Queue }) {
  const t = useText(deliverabilityTexts)
  const until = queue.state === 'held' ? queue.heldSince : queue.suspendedUntil
  return (
    <>
      <Badge tone={TONES[queue.state]} hint={t(`${queue.state}Why`)}>
        {t(queue.state === 'held' ? 'heldState' : queue.state)}
      </Badge>
      {until && (
        <small>
          {t(queue.state === 'held' ? 'since' : 'until')} <Time at={until} as="moment" />
        </small>
      )}
      {queue.rate !== null && <small>{t('rate', { rate: queue.rate, connections: queue.connections ?? 0 })}</small>}
    </>
  )
}

function Acts({ queue, onAct }: { queue: Queue; onAct(operation: Operation): void }) {
  const t = useText(deliverabilityTexts)
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
  const t = useText(deliverabilityTexts)
  return (
    <Sheet label={t('queues')}>
      <thead>
        <tr>
          <th scope="col">{t('destination')}</th>
          <th scope="col">{t('state')}</th>
          {lanes.map((lane) => (
            <th key={lane} scope="col" data-number>
              <Defined definition={t(`${lane}Why`)}>{t(lane)}</Defined>
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
                  <Time at={queue.lastRefusalDate} />
                </small>
              )}
            </td>
            <td>
              <Acts queue={queue} onAct={(operation) => onAct(queue, operation)} />
            </td>
          </tr>
        ))}
      </tbody>
    </Sheet>
  )
}

interface Asked {
  queue: Queue
  operation: Operation
}

function QueuePage() {
  const t = useText(deliverabilityTexts)
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [error, setError] = useState<unknown>(null)
  const read = useQuery({
    queryKey: ['queues'],
    queryFn: ({ signal }) => data(api.GET('/settings/sending/queues', { signal })),
    refetchInterval: LIVE_MS,
    refetchIntervalInBackground: false,
  })
  const act = async (destination: string, operation: Operation): Promise<void> => {
    const params = { path: { destination } }
    await api.POST('/settings/sending/queues/{destination}', { params, body: { operation } })
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
      () => tell(t(`${operation}Done`, { destination }), () => void act(destination, back).catch(setError)),
      setError,
    )
  }
  const rows = (read.data ?? []).toSorted((a, b) => waitingOf(b) - waitingOf(a))
  return (
    <DeliverabilityPage>
      <div className={styles['parts']}>
        {[read.error, error].map((one) => one != null && <Problem key={String(one)} error={one} />)}
        {read.isPending && <Skeleton />}
        {read.data && rows.length === 0 && <Empty title={t('queuesEmpty')}>{t('queuesEmptyWhy')}</Empty>}
        {rows.length > 0 && <QueueTable rows={rows} onAct={start} />}
      </div>
      {asked?.queue.destination && (
        <Confirm
          title={t('flush')}
          action={t('flush')}
          isDangerous={false}
          onConfirm={() => act(asked.queue.destination ?? '', asked.operation)}
          onClose={() => setAsked(null)}
        >
          {t('flushAsk', { count: waitingOf(asked.queue), destination: asked.queue.destination })}
        </Confirm>
      )}
    </DeliverabilityPage>
  )
}

/** What waits to be sent, by destination and lane: held, released, tried at once. */
export function Queues() {
  return (
    <Allowed right="admin" to="/deliverability">
      <QueuePage />
    </Allowed>
  )
}
