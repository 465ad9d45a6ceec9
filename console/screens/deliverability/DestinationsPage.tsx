import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { apiClient } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { BounceVerdictBadge } from '../../components/BounceVerdictBadge.tsx'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { DefinedTerm } from '../../components/layout/DefinedTerm.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { PlainTable } from '../../components/layout/PlainTable.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Deliverability.module.css'
import { DeliverabilityPage } from './DeliverabilityPage.tsx'
import { DomainWarmUps } from './DomainWarmUps.tsx'
import { deliverabilityTexts } from './texts.ts'

const route = getRouteApi('/deliverability')
const DAY_MS = 24 * 3600 * 1000
/** Thresholds of large providers: Gmail and Yahoo require less than 0.1% complaints and never 0.3%; bounces above 2% attract attention. */
const COMPLAINT_LIMITS = { watch: 0.001, bad: 0.003 }
const BOUNCE_LIMITS = { watch: 0.02, bad: 0.05 }

type DestinationFigures = ApiAnswer<'getDeliverability'>['destinations'][number]

/** A rate, with a word where it passes what providers accept. */
function RateCell({ value, limits }: { value: number | null; limits: { watch: number; bad: number } }) {
  const t = useTranslator(deliverabilityTexts)
  if (value === null) return null
  return (
    <span className={styles['rate']}>
      {value >= limits.bad ? (
        <StateBadge tone="bad">{t('tooMuch')}</StateBadge>
      ) : (
        value >= limits.watch && <StateBadge tone="warning">{t('watch')}</StateBadge>
      )}
      <FormattedNumber value={value} percent />
    </span>
  )
}

function DestinationRow({ row }: { row: DestinationFigures }) {
  const t = useTranslator(deliverabilityTexts)
  return (
    <tr>
      <th scope="row">
        <bdi>{row.destination ?? t('erased')}</bdi>
        {row.domains.length > 0 && <small>{row.domains.slice(0, 3).join(', ')}</small>}
      </th>
      <td data-number>
        <FormattedNumber value={row.sent} />
      </td>
      <td data-number>
        <FormattedNumber value={row.refused} />
      </td>
      <td data-number>
        <FormattedNumber value={row.bounces.hard} />
      </td>
      <td data-number>
        <FormattedNumber value={row.bounces.soft} />
      </td>
      <td data-number>
        <RateCell value={row.bounceRate} limits={BOUNCE_LIMITS} />
      </td>
      <td data-number>
        <FormattedNumber value={row.complaints} />
      </td>
      <td data-number>
        <RateCell value={row.complaintRate} limits={COMPLAINT_LIMITS} />
      </td>
    </tr>
  )
}

function DestinationTable({ destinations }: { destinations: readonly DestinationFigures[] }) {
  const t = useTranslator(deliverabilityTexts)
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
    <PagePanel title={t('byDestination')}>
      <PlainTable label={t('byDestination')}>
        <thead>
          <tr>
            <th scope="col">{t('destination')}</th>
            {columns.map((key) => (
              <th key={key} scope="col" data-number>
                <DefinedTerm definition={t(`${key}Why`)}>{t(key)}</DefinedTerm>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {destinations.map((row) => (
            <DestinationRow key={row.destination} row={row} />
          ))}
        </tbody>
      </PlainTable>
    </PagePanel>
  )
}

/** Why servers refused, by pattern: the most frequent first. */
function RefusalList({ destinations }: { destinations: readonly DestinationFigures[] }) {
  const t = useTranslator(deliverabilityTexts)
  const rows = destinations
    .flatMap(({ destination, refusals }) => refusals.map((refusal) => ({ destination, ...refusal })))
    .toSorted((a, b) => b.count - a.count)
  if (rows.length === 0) return null
  return (
    <PagePanel title={t('refusals')}>
      <PlainTable label={t('refusals')}>
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
                <BounceVerdictBadge verdict={verdict} />
              </td>
              <td>
                <bdi>{destination ?? t('erased')}</bdi>
              </td>
              <td data-number>
                <FormattedNumber value={count} />
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </PagePanel>
  )
}

/** Deliverability by destination compared with provider limits; warm-ups; refusals by pattern. */
export function DestinationsPage() {
  const t = useTranslator(deliverabilityTexts)
  const { days = 7 } = route.useSearch()
  const navigate = route.useNavigate()
  const deliverabilityQuery = useQuery({
    queryKey: ['deliverability', days],
    queryFn: ({ signal }) => {
      const start = new Date(Date.now() - days * DAY_MS).toISOString()
      return apiClient.getDeliverability({ query: { start }, signal })
    },
    staleTime: 60_000,
  })
  const periodControl = (
    <SegmentedControl
      size="xs"
      aria-label={t('period')}
      data={[1, 7, 30].map((count) => ({ value: String(count), label: t('days', { count }) }))}
      value={String(days)}
      onChange={(value) => {
        const chosenDays = Number(value)
        void navigate({ search: chosenDays === 1 || chosenDays === 30 ? { days: chosenDays } : {}, replace: true })
      }}
    />
  )
  const { destinations = [], warmUps = [] } = deliverabilityQuery.data ?? {}
  return (
    <DeliverabilityPage action={periodControl}>
      <div className={styles['parts']}>
        {deliverabilityQuery.error && (
          <ProblemAlert error={deliverabilityQuery.error} onRetry={() => void deliverabilityQuery.refetch()} />
        )}
        {deliverabilityQuery.isPending && <LoadingSkeleton />}
        {deliverabilityQuery.data && destinations.length === 0 && (
          <EmptyState title={t('nothingSent')}>{t('nothingSentWhy')}</EmptyState>
        )}
        {destinations.length > 0 && <DestinationTable destinations={destinations} />}
        <DomainWarmUps warmUps={warmUps} />
        <RefusalList destinations={destinations} />
      </div>
    </DeliverabilityPage>
  )
}
