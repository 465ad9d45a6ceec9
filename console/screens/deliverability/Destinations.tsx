import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import { Badge } from '../../components/Badge.tsx'
import { Defined } from '../../components/layout/Defined.tsx'
import { Empty } from '../../components/layout/Empty.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Sheet } from '../../components/layout/Sheet.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { Num } from '../../components/Num.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from './Deliverability.module.css'
import { DeliverabilityPage } from './DeliverabilityPage.tsx'
import { deliverabilityTexts } from './texts.ts'
import { WarmUps } from './WarmUps.tsx'

const route = getRouteApi('/deliverability')
const DAY_MS = 24 * 3600 * 1000
/** What large providers act on: Gmail and Yahoo ask for less than 0.1 % complaints and never 0.3 %; bounces above 2 % stand out. */
const COMPLAINTS = { watch: 0.001, bad: 0.003 }
const BOUNCES = { watch: 0.02, bad: 0.05 }

type Destination = Answer<'/deliverability', 'get'>['destinations'][number]

/** A rate, with a word where it passes what providers accept. */
function Rate({ value, limits }: { value: number | null; limits: { watch: number; bad: number } }) {
  const t = useText(deliverabilityTexts)
  if (value === null) return null
  return (
    <span className={styles['rate']}>
      {value >= limits.bad ? (
        <Badge tone="bad">{t('tooMuch')}</Badge>
      ) : (
        value >= limits.watch && <Badge tone="warning">{t('watch')}</Badge>
      )}
      <Num value={value} percent />
    </span>
  )
}

function Row({ row }: { row: Destination }) {
  const t = useText(deliverabilityTexts)
  return (
    <tr>
      <th scope="row">
        <bdi>{row.destination ?? t('erased')}</bdi>
        {row.domains.length > 0 && <small>{row.domains.slice(0, 3).join(', ')}</small>}
      </th>
      <td data-number>
        <Num value={row.sent} />
      </td>
      <td data-number>
        <Num value={row.refused} />
      </td>
      <td data-number>
        <Num value={row.bounces.hard} />
      </td>
      <td data-number>
        <Num value={row.bounces.soft} />
      </td>
      <td data-number>
        <Rate value={row.bounceRate} limits={BOUNCES} />
      </td>
      <td data-number>
        <Num value={row.complaints} />
      </td>
      <td data-number>
        <Rate value={row.complaintRate} limits={COMPLAINTS} />
      </td>
    </tr>
  )
}

function Figures({ destinations }: { destinations: readonly Destination[] }) {
  const t = useText(deliverabilityTexts)
  const columns = [
    'sent',
    'refused',
    'hardBounces',
    'softBounces',
    'bounceRate',
    'complaints',
    'complaintRate',
  ] as const
  return (
    <Panel title={t('byDestination')}>
      <Sheet label={t('byDestination')}>
        <thead>
          <tr>
            <th scope="col">{t('destination')}</th>
            {columns.map((key) => (
              <th key={key} scope="col" data-number>
                <Defined definition={t(`${key}Why`)}>{t(key)}</Defined>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {destinations.map((row) => (
            <Row key={row.destination} row={row} />
          ))}
        </tbody>
      </Sheet>
    </Panel>
  )
}

/** Why servers refused, by pattern: the most frequent first. */
function Refusals({ destinations }: { destinations: readonly Destination[] }) {
  const t = useText(deliverabilityTexts)
  const rows = destinations
    .flatMap(({ destination, refusals }) => refusals.map((refusal) => ({ destination, ...refusal })))
    .toSorted((a, b) => b.count - a.count)
  if (rows.length === 0) return null
  return (
    <Panel title={t('refusals')}>
      <Sheet label={t('refusals')}>
        <thead>
          <tr>
            <th scope="col">{t('answer')}</th>
            <th scope="col">{t('subject')}</th>
            <th scope="col">{t('verdict')}</th>
            <th scope="col">{t('destination')}</th>
            <th scope="col" data-number>
              {t('count')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ destination, pattern, subject, verdict, count }) => (
            <tr key={`${destination} ${pattern} ${verdict}`}>
              <th scope="row">
                <code>{pattern}</code>
              </th>
              <td>{subject}</td>
              <td>
                <Badge tone={verdict === 'hard' ? 'bad' : 'warning'} hint={t(`${verdict}Why`)}>
                  {t(verdict)}
                </Badge>
              </td>
              <td>
                <bdi>{destination ?? t('erased')}</bdi>
              </td>
              <td data-number>
                <Num value={count} />
              </td>
            </tr>
          ))}
        </tbody>
      </Sheet>
    </Panel>
  )
}

/** How mail fares by destination, against what providers accept; warm-ups; refusals by pattern. */
export function Destinations() {
  const t = useText(deliverabilityTexts)
  const { days = 7 } = route.useSearch()
  const navigate = route.useNavigate()
  const read = useQuery({
    queryKey: ['deliverability', days],
    queryFn: ({ signal }) => {
      const start = new Date(Date.now() - days * DAY_MS).toISOString()
      return data(api.GET('/deliverability', { params: { query: { start } }, signal }))
    },
    staleTime: 60_000,
  })
  const period = (
    <SegmentedControl
      size="xs"
      aria-label={t('period')}
      data={[1, 7, 30].map((count) => ({ value: String(count), label: t('days', { count }) }))}
      value={String(days)}
      onChange={(value) => {
        const chosen = Number(value)
        void navigate({ search: chosen === 1 || chosen === 30 ? { days: chosen } : {}, replace: true })
      }}
    />
  )
  const { destinations = [], warmUps = [] } = read.data ?? {}
  return (
    <DeliverabilityPage action={period}>
      <div className={styles['parts']}>
        {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
        {read.isPending && <Skeleton />}
        {read.data && destinations.length === 0 && <Empty title={t('nothingSent')}>{t('nothingSentWhy')}</Empty>}
        {destinations.length > 0 && <Figures destinations={destinations} />}
        <WarmUps warmUps={warmUps} />
        <Refusals destinations={destinations} />
      </div>
    </DeliverabilityPage>
  )
}
