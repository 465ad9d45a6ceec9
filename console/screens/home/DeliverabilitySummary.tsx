import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { DefinedTerm } from '../../components/layout/DefinedTerm.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './HomePage.module.css'
import { homeTexts } from './texts.ts'

const MAX_DESTINATIONS = 6
const PERIOD_MS = 7 * 24 * 3600 * 1000

type Destination = ApiAnswer<'getDeliverability'>['destinations'][number]

function DestinationRow({ row }: { row: Destination }) {
  const t = useTranslator(homeTexts)
  const { destination, sent: sentCount, bounceRate, complaintRate } = row
  return (
    <tr>
      <th scope="row">{destination ?? t('erased')}</th>
      <td>
        <FormattedNumber value={sentCount} />
      </td>
      <td>{bounceRate !== null && <FormattedNumber value={bounceRate} percent />}</td>
      <td>{complaintRate !== null && <FormattedNumber value={complaintRate} percent />}</td>
    </tr>
  )
}

/** Deliverability of the last seven days; renders nothing if no mail was sent. */
export function DeliverabilitySummary() {
  const t = useTranslator(homeTexts)
  const deliverabilityQuery = useQuery({
    queryKey: ['deliverability', 'week'],
    queryFn: ({ signal }) => {
      const start = new Date(Date.now() - PERIOD_MS).toISOString()
      return apiClient.getDeliverability({ query: { start }, signal })
    },
    staleTime: 60_000,
  })
  if (deliverabilityQuery.error)
    return (
      <ProblemAlert
        error={deliverabilityQuery.error}
        title={t('deliverability')}
        onRetry={() => void deliverabilityQuery.refetch()}
      />
    )
  if (!deliverabilityQuery.data || deliverabilityQuery.data.destinations.length === 0) return null
  return (
    <PagePanel title={t('deliverability')}>
      <div className={styles['scroll']} tabIndex={0}>
        <table className={styles['figures']}>
          <thead>
            <tr>
              <th scope="col">{t('destination')}</th>
              <th scope="col">
                <DefinedTerm definition={t('acceptedWhy')}>{t('accepted')}</DefinedTerm>
              </th>
              <th scope="col">
                <DefinedTerm definition={t('bounceRateWhy')}>{t('bounceRate')}</DefinedTerm>
              </th>
              <th scope="col">
                <DefinedTerm definition={t('complaintRateWhy')}>{t('complaintRate')}</DefinedTerm>
              </th>
            </tr>
          </thead>
          <tbody>
            {deliverabilityQuery.data.destinations.slice(0, MAX_DESTINATIONS).map((row) => (
              <DestinationRow key={row.destination} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </PagePanel>
  )
}
