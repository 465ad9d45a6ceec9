import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Problem } from '../../parts/Problem.tsx'
import { Sheet } from '../../parts/Sheet.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Time } from '../../parts/Time.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from './Deliverability.module.css'
import { DeliverabilityPage } from './DeliverabilityPage.tsx'
import { type DomainRecord, domainQuery, stateOf, tones } from './domain-records.ts'
import { deliverabilityTexts } from './texts.ts'

const purposes = ['SPF', 'DKIM', 'DMARC', 'MX', 'tracking'] as const

function Purpose({ records, purpose }: { records: readonly DomainRecord[]; purpose: DomainRecord['purpose'] }) {
  const t = useText(deliverabilityTexts)
  const state = stateOf(records.filter((record) => record.purpose === purpose))
  return state === undefined ? null : <Badge tone={tones[state]}>{t(state)}</Badge>
}

/** The domains to send from, and which of their records were found. */
export function Domains() {
  const t = useText(deliverabilityTexts)
  const read = useQuery({ queryKey: ['domains'], queryFn: ({ signal }) => data(api.GET('/domains', { signal })) })
  const domains = read.data ?? []
  const details = useQueries({ queries: domains.map(({ name }) => domainQuery(name)) })
  return (
    <DeliverabilityPage>
      <div className={styles['parts']}>
        {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
        {read.isPending && <Skeleton />}
        {read.data && domains.length === 0 && <Empty title={t('domainsEmpty')}>{t('domainsEmptyWhy')}</Empty>}
        {domains.length > 0 && (
          <Sheet label={t('domains')}>
            <thead>
              <tr>
                <th scope="col">{t('domain')}</th>
                <th scope="col">{t('state')}</th>
                {purposes.map((purpose) => (
                  <th key={purpose} scope="col">
                    {t(purpose)}
                  </th>
                ))}
                <th scope="col">{t('checkedAt')}</th>
              </tr>
            </thead>
            <tbody>
              {domains.map(({ name, verified, default: isDefault, checkedDate }, index) => (
                <tr key={name}>
                  <th scope="row">
                    <Link to="/deliverability/domains/$name" params={{ name }}>
                      {name}
                    </Link>
                    {isDefault && <small>{t('isDefault')}</small>}
                  </th>
                  <td>
                    <Badge tone={verified ? 'good' : 'warning'} hint={t(verified ? 'verifiedWhy' : 'unverifiedWhy')}>
                      {t(verified ? 'verified' : 'unverified')}
                    </Badge>
                  </td>
                  {purposes.map((purpose) => (
                    <td key={purpose}>
                      <Purpose records={details[index]?.data?.records ?? []} purpose={purpose} />
                    </td>
                  ))}
                  <td>{checkedDate && <Time at={checkedDate} />}</td>
                </tr>
              ))}
            </tbody>
          </Sheet>
        )}
      </div>
    </DeliverabilityPage>
  )
}
