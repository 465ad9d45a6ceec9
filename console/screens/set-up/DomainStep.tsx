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
import type { SaveBeforeNextStep } from './save-first.ts'
import { useSendingDomains } from './stored.ts'
import { setUpTexts } from './texts.ts'

function DomainRecords({ name }: { name: string }) {
  const t = useTranslator(setUpTexts)
  const { person } = useCurrentUser()
  const domainDetailsQuery = useQuery(domainQuery(name))
  const domainCheck = useDomainCheck(name)
  if (domainDetailsQuery.error)
    return <ProblemAlert error={domainDetailsQuery.error} onRetry={() => void domainDetailsQuery.refetch()} />
  if (!domainDetailsQuery.data) return <LoadingSkeleton />
  return (
    <>
      <div className={styles['row']}>
        <strong>{name}</strong>
        {domainDetailsQuery.data.checkedDate && (
          <small>
            {t('checked')} <FormattedTime at={domainDetailsQuery.data.checkedDate} />
          </small>
        )}
        {person.operator && (
          <Button
            variant="default"
            size="compact-sm"
            loading={domainCheck.isBusy}
            onClick={() => void domainCheck.run()}
          >
            {t('check')}
          </Button>
        )}
      </div>
      {domainCheck.error !== null && <ProblemAlert error={domainCheck.error} />}
      <DomainRecordList records={domainDetailsQuery.data.records} />
    </>
  )
}

/** The domains that mail is sent from, with the records to publish and what was found. */
export function DomainStep({ saveFirst }: { saveFirst: SaveBeforeNextStep }) {
  const t = useTranslator(setUpTexts)
  const { person } = useCurrentUser()
  const sendingDomains = useSendingDomains()
  if (sendingDomains.error)
    return <ProblemAlert error={sendingDomains.error} onRetry={() => void sendingDomains.refetch()} />
  if (!sendingDomains.data) return <LoadingSkeleton />
  return (
    <>
      <p>{t(sendingDomains.data.length === 0 ? 'domainNone' : 'domainWhy')}</p>
      {sendingDomains.data.map(({ name }) => (
        <DomainRecords key={name} name={name} />
      ))}
      {person.operator ? <AddDomain addTyped={saveFirst} /> : <p>{t('operatorOnly')}</p>}
    </>
  )
}
