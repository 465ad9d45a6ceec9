import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../api/me.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { Time } from '../../components/Time.tsx'
import { useText } from '../../text/catalogue.ts'
import { AddDomain } from '../deliverability/AddDomain.tsx'
import { domainQuery, useCheck } from '../deliverability/domain-records.ts'
import { Records } from '../deliverability/Records.tsx'
import styles from './SetUp.module.css'
import { useDomains } from './stored.ts'
import { setUpTexts } from './texts.ts'

function DomainRecords({ name }: { name: string }) {
  const t = useText(setUpTexts)
  const { person } = useMe()
  const read = useQuery(domainQuery(name))
  const check = useCheck(name)
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton />
  return (
    <>
      <div className={styles['row']}>
        <strong>{name}</strong>
        {read.data.checkedDate && (
          <small>
            {t('checked')} <Time at={read.data.checkedDate} />
          </small>
        )}
        {person.operator && (
          <Button variant="default" size="compact-sm" loading={check.isBusy} onClick={() => void check.run()}>
            {t('check')}
          </Button>
        )}
      </div>
      {check.error !== null && <Problem error={check.error} />}
      <Records records={read.data.records} />
    </>
  )
}

/** The domains that mail is sent from, with the records to publish and what was found. */
export function DomainStep() {
  const t = useText(setUpTexts)
  const { person } = useMe()
  const domains = useDomains()
  if (domains.error) return <Problem error={domains.error} onRetry={() => void domains.refetch()} />
  if (!domains.data) return <Skeleton />
  return (
    <>
      <p>{t(domains.data.length === 0 ? 'domainNone' : 'domainWhy')}</p>
      {domains.data.map(({ name }) => (
        <DomainRecords key={name} name={name} />
      ))}
      {person.operator ? <AddDomain /> : <p>{t('operatorOnly')}</p>}
    </>
  )
}
