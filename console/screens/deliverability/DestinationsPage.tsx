import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { apiClient } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
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
import { useLocaleFormat } from '../../text/format.ts'
import styles from './Deliverability.module.css'
import { DeliverabilityDetails, DeliverabilityPage } from './DeliverabilityPage.tsx'
import { DomainWarmUps } from './DomainWarmUps.tsx'
import { nameProvider } from './provider-names.ts'
import { deliverabilityTexts } from './texts.ts'
import { DELIVERABILITY_LIMITS, rankDestinations } from './verdict.ts'

const route = getRouteApi('/deliverability')
const DAY_MS = 24 * 3600 * 1000
type DestinationFigures = ApiAnswer<'getDeliverability'>['destinations'][number]

type RankedDestination = ReturnType<typeof rankDestinations<DestinationFigures>>[number]

const VERDICT_TONES = { bad: 'bad', watch: 'warning', good: 'good', few: 'neutral' } as const

/** A rate with its limit. */
function RateFigure({ of, rate }: { of: keyof typeof DELIVERABILITY_LIMITS; rate: number | null }) {
  const t = useTranslator(deliverabilityTexts)
  const format = useLocaleFormat()
  const { watch, bad } = DELIVERABILITY_LIMITS[of]
  const level = rate === null ? undefined : rate >= bad ? 'bad' : rate >= watch ? 'watch' : undefined
  return (
    <div className={styles['figure']} data-level={level}>
      <dt>
        <DefinedTerm definition={t(of === 'complaints' ? 'complaintRateWhy' : 'bounceRateWhy')}>{t(of)}</DefinedTerm>
      </dt>
      <dd>
        {rate === null ? t('noRate') : <FormattedNumber value={rate} percent />}
        <small>{t('limit', { limit: format.percent(bad) })}</small>
      </dd>
    </div>
  )
}

function DestinationLine({ ranked: { row, verdict } }: { ranked: RankedDestination }) {
  const t = useTranslator(deliverabilityTexts)
  return (
    <li className={styles['provider']}>
      <div>
        <span className={styles['acts']}>
          <strong>
            <bdi>{row.destination === null ? t('erased') : nameProvider(row.destination)}</bdi>
          </strong>
          <StateBadge
            tone={VERDICT_TONES[verdict.level]}
            {...(verdict.level === 'few' && { hint: t('verdict_fewWhy') })}
          >
            {t(`verdict_${verdict.level}`)}
          </StateBadge>
        </span>
        {row.domains.length > 0 && row.domains[0] !== row.destination && (
          <small>{row.domains.slice(0, 3).join(', ')}</small>
        )}
      </div>
      <dl>
        <div className={styles['figure']}>
          <dt>
            <DefinedTerm definition={t('sentWhy')}>{t('sent')}</DefinedTerm>
          </dt>
          <dd>
            <FormattedNumber value={row.sent} />
            {row.refused > 0 && <small>{t('refusedCount', { count: row.refused })}</small>}
          </dd>
        </div>
        <RateFigure of="bounces" rate={row.bounceRate} />
        <RateFigure of="complaints" rate={row.complaintRate} />
      </dl>
    </li>
  )
}

/** How mail fares, in a sentence, and the way to hold mail where it fares badly. */
function DeliverabilityVerdictLine({ worst: { row, verdict } }: { worst: RankedDestination }) {
  const t = useTranslator(deliverabilityTexts)
  const format = useLocaleFormat()
  const isAdmin = useHasRight('admin')
  const destination = row.destination === null ? t('erased') : nameProvider(row.destination)
  const { cause, level } = verdict
  const sentence = cause
    ? t(level === 'bad' ? `says_bad_${cause.of}` : `says_watch_${cause.of}`, {
        destination,
        rate: format.percent(cause.rate),
        limit: format.percent(cause.limit),
      })
    : t(level === 'few' ? 'says_few' : 'says_good')
  return (
    <section className={styles['verdict']} data-level={level}>
      <h2>{sentence}</h2>
      {level === 'bad' && (
        <div className={styles['acts']}>
          <p>{t('adviceBad')}</p>
          {isAdmin && (
            <Button variant="default" renderRoot={(props) => <Link to="/deliverability/queues" {...props} />}>
              {t('holdAt', { destination })}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

function DestinationList({ destinations }: { destinations: readonly DestinationFigures[] }) {
  const t = useTranslator(deliverabilityTexts)
  const ranked = rankDestinations(destinations)
  const [worst] = ranked
  return (
    <>
      {worst && <DeliverabilityVerdictLine worst={worst} />}
      <PagePanel title={t('byDestination')}>
        <ul className={styles['providers']}>
          {ranked.map((one) => (
            <DestinationLine key={one.row.destination} ranked={one} />
          ))}
        </ul>
      </PagePanel>
    </>
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
                {subject}
                <details className={styles['answer']}>
                  <summary>{t('answer')}</summary>
                  <code>{pattern}</code>
                </details>
              </th>
              <td>
                <BounceVerdictBadge verdict={verdict} />
              </td>
              <td>
                <bdi>{destination === null ? t('erased') : nameProvider(destination)}</bdi>
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

/** A verdict on how mail fares, then a line per provider, worst first, against its limits; warm-ups; refusals. */
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
        {destinations.length > 0 && <DestinationList destinations={destinations} />}
        <DomainWarmUps warmUps={warmUps} />
        <RefusalList destinations={destinations} />
        <DeliverabilityDetails />
      </div>
    </DeliverabilityPage>
  )
}
