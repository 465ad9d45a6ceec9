import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Copy } from '../../parts/Copy.tsx'
import { Page } from '../../parts/Page.tsx'
import { Problem } from '../../parts/Problem.tsx'
import { Sheet } from '../../parts/Sheet.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Time } from '../../parts/Time.tsx'
import { useAct } from '../../parts/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './Deliverability.module.css'
import { type DomainRecord, domainQuery, tones } from './domain-records.ts'
import { deliverabilityTexts } from './texts.ts'

const route = getRouteApi('/deliverability/domains/$name')

function RecordRow({ record }: { record: DomainRecord }) {
  const t = useText(deliverabilityTexts)
  const { purpose, type, name, value, state, found, key } = record
  return (
    <tr>
      <th scope="row">
        {t(purpose)}
        {key && <small>{t(key.state)}</small>}
      </th>
      <td>
        <Badge tone={tones[state]}>{t(state)}</Badge>
      </td>
      <td>{type}</td>
      <td className={styles['value']}>
        <Copy value={name} />
      </td>
      <td className={styles['value']}>
        {value === null ? t('ownAddresses') : <Copy value={value} />}
        {state === 'missing' && found.length > 0 && <small>{t('foundThere', { found: found.join(' · ') })}</small>}
      </td>
    </tr>
  )
}

/** A domain: the records to publish, each with what was found of it. */
export function Domain() {
  const t = useText(deliverabilityTexts)
  const { name } = route.useParams()
  const queries = useQueryClient()
  const { person } = useMe()
  const query = domainQuery(name)
  const read = useQuery(query)
  const check = useAct(async () => {
    const checked = await data(api.POST('/domains/{name}/check', { params: { path: { name } } }))
    queries.setQueryData(query.queryKey, checked)
  })
  const { verified, checkedDate, records = [] } = read.data ?? {}
  return (
    <Page
      title={name}
      parent={{ label: t('domains'), to: '/deliverability/domains' }}
      badge={read.data && <Badge tone={verified ? 'good' : 'warning'}>{t(verified ? 'verified' : 'unverified')}</Badge>}
      note={
        checkedDate && (
          <>
            {t('checkedAt')} <Time at={checkedDate} />
          </>
        )
      }
      action={
        person.operator && (
          <Button loading={check.isBusy} onClick={() => void check.run()}>
            {t('check')}
          </Button>
        )
      }
    >
      <div className={styles['parts']}>
        {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
        {check.error !== null && <Problem error={check.error} />}
        {read.isPending && <Skeleton />}
        {read.data && (
          <>
            <p className={styles['quiet']}>{t(verified ? 'verifiedWhy' : 'unverifiedWhy')}</p>
            <Sheet label={t('records')}>
              <thead>
                <tr>
                  <th scope="col">{t('record')}</th>
                  <th scope="col">{t('state')}</th>
                  <th scope="col">{t('type')}</th>
                  <th scope="col">{t('name')}</th>
                  <th scope="col">{t('value')}</th>
                </tr>
              </thead>
              <tbody>
                {records.map((record) => (
                  <RecordRow key={`${record.purpose} ${record.name} ${record.type}`} record={record} />
                ))}
              </tbody>
            </Sheet>
          </>
        )}
      </div>
    </Page>
  )
}
