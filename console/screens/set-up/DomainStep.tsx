import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCurrentUser } from '../../api/me.ts'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { AddDomain } from '../deliverability/AddDomain.tsx'
import { DomainRecordList } from '../deliverability/DomainRecordList.tsx'
import { domainQuery, useDomainCheck } from '../deliverability/domain-records.ts'
import styles from './SetUpPage.module.css'
import { useSendingDomains } from './stored.ts'
import { setUpTexts } from './texts.ts'

function DomainRecords({ name }: { name: string }) {
  const t = useTranslator(setUpTexts)
  const { person } = useCurrentUser()
  const read = useQuery(domainQuery(name))
  const check = useDomainCheck(name)
  if (read.error) return <ProblemAlert error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <LoadingSkeleton />
  return (
    <>
      <div className={styles['row']}>
        <strong>{name}</strong>
        {read.data.checkedDate && (
          <small>
            {t('checked')} <FormattedTime at={read.data.checkedDate} />
          </small>
        )}
        {person.operator && (
          <Button variant="default" size="compact-sm" loading={check.isBusy} onClick={() => void check.run()}>
            {t('check')}
          </Button>
        )}
      </div>
      {check.error !== null && <ProblemAlert error={check.error} />}
      <DomainRecordList records={read.data.records} />
    </>
  )
}

/** The domains that mail is sent from, with the records to publish and what was found. */
export function DomainStep() {
  const t = useTranslator(setUpTexts)
  const { person } = useCurrentUser()
  const domains = useSendingDomains()
  if (domains.error) return <ProblemAlert error={domains.error} onRetry={() => void domains.refetch()} />
  if (!domains.data) return <LoadingSkeleton />
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
