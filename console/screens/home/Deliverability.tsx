import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import { Defined } from '../../components/layout/Defined.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Num } from '../../components/Num.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from './Home.module.css'
import { homeTexts } from './texts.ts'

const SHOWN = 6
const DAYS_MS = 7 * 24 * 3600 * 1000

type Destination = Answer<'/deliverability', 'get'>['destinations'][number]

function Row({ row }: { row: Destination }) {
  const t = useText(homeTexts)
  const { destination, sent, bounceRate, complaintRate } = row
  return (
    <tr>
      <th scope="row">{destination ?? t('erased')}</th>
      <td>
        <Num value={sent} />
      </td>
      <td>{bounceRate !== null && <Num value={bounceRate} percent />}</td>
      <td>{complaintRate !== null && <Num value={complaintRate} percent />}</td>
    </tr>
  )
}

/** Where mail arrived in the last seven days; nothing where none was sent. */
export function Deliverability() {
  const t = useText(homeTexts)
  const read = useQuery({
    queryKey: ['deliverability', 'week'],
    queryFn: ({ signal }) => {
      const start = new Date(Date.now() - DAYS_MS).toISOString()
      return data(api.GET('/deliverability', { params: { query: { start } }, signal }))
    },
    staleTime: 60_000,
  })
  if (read.error) return <Problem error={read.error} title={t('deliverability')} onRetry={() => void read.refetch()} />
  if (!read.data || read.data.destinations.length === 0) return null
  return (
    <Panel title={t('deliverability')}>
      <div className={styles['scroll']} tabIndex={0}>
        <table className={styles['figures']}>
          <thead>
            <tr>
              <th scope="col">{t('destination')}</th>
              <th scope="col">
                <Defined definition={t('acceptedWhy')}>{t('accepted')}</Defined>
              </th>
              <th scope="col">
                <Defined definition={t('bounceRateWhy')}>{t('bounceRate')}</Defined>
              </th>
              <th scope="col">
                <Defined definition={t('complaintRateWhy')}>{t('complaintRate')}</Defined>
              </th>
            </tr>
          </thead>
          <tbody>
            {read.data.destinations.slice(0, SHOWN).map((row) => (
              <Row key={row.destination} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}
