import { Button, Modal } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCurrentUser } from '../../api/me.ts'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { PlainTable } from '../../components/layout/PlainTable.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { componentTexts } from '../../components/texts.ts'
import { useCreateShortcut } from '../../layout/dialogs/keys.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { AddDomain } from './AddDomain.tsx'
import styles from './Deliverability.module.css'
import { DeliverabilityPage } from './DeliverabilityPage.tsx'
import {
  type ApiDomainRecord,
  domainQuery,
  domainRecordTones,
  domainsQuery,
  findWorstRecordState,
} from './domain-records.ts'
import { deliverabilityTexts } from './texts.ts'

const RECORD_PURPOSES = ['SPF', 'DKIM', 'DMARC', 'MX', 'tracking'] as const

function PurposeCell({
  records,
  purpose,
}: {
  records: readonly ApiDomainRecord[]
  purpose: ApiDomainRecord['purpose']
}) {
  const t = useTranslator(deliverabilityTexts)
  const worstState = findWorstRecordState(records.filter((record) => record.purpose === purpose))
  return worstState === undefined ? null : <StateBadge tone={domainRecordTones[worstState]}>{t(worstState)}</StateBadge>
}

function AddDomainDialog({ hasOthers, onClose }: { hasOthers: boolean; onClose(): void }) {
  const [t, parts] = [useTranslator(deliverabilityTexts), useTranslator(componentTexts)]
  const navigate = useNavigate()
  const openDomain = (name: string) => void navigate({ to: '/deliverability/domains/$name', params: { name } })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('domainAdd')}
      size={480}
      closeButtonProps={{ 'aria-label': parts('close') }}
    >
      <AddDomain hasOthers={hasOthers} onAdded={openDomain} />
    </Modal>
  )
}

/** The domains to send from, and which of their records were found. */
export function DomainsPage() {
  const t = useTranslator(deliverabilityTexts)
  const { person } = useCurrentUser()
  const [isAdding, setAdding] = useState(false)
  useCreateShortcut(() => setAdding(true), person.operator)
  const domainListQuery = useQuery(domainsQuery)
  const domains = domainListQuery.data ?? []
  const detailQueries = useQueries({ queries: domains.map(({ name }) => domainQuery(name)) })
  const addDomainButton = person.operator && <Button onClick={() => setAdding(true)}>{t('domainAdd')}</Button>
  return (
    <DeliverabilityPage action={domains.length > 0 && addDomainButton}>
      <div className={styles['parts']}>
        {domainListQuery.error && (
          <ProblemAlert error={domainListQuery.error} onRetry={() => void domainListQuery.refetch()} />
        )}
        {domainListQuery.isPending && <LoadingSkeleton />}
        {domainListQuery.data && domains.length === 0 && (
          <EmptyState title={t('domainsEmpty')} action={addDomainButton}>
            {t('domainsEmptyWhy')}
          </EmptyState>
        )}
        {domains.length > 0 && (
          <PlainTable label={t('domains')}>
            <thead>
              <tr>
                <th scope="col">{t('domain')}</th>
                <th scope="col">{t('state')}</th>
                {RECORD_PURPOSES.map((purpose) => (
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
                    <StateBadge
                      tone={verified ? 'good' : 'warning'}
                      hint={t(verified ? 'verifiedWhy' : 'unverifiedWhy')}
                    >
                      {t(verified ? 'verified' : 'unverified')}
                    </StateBadge>
                  </td>
                  {RECORD_PURPOSES.map((purpose) => (
                    <td key={purpose}>
                      <PurposeCell records={detailQueries[index]?.data?.records ?? []} purpose={purpose} />
                    </td>
                  ))}
                  <td>{checkedDate && <FormattedTime at={checkedDate} />}</td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        )}
      </div>
      {isAdding && <AddDomainDialog hasOthers={domains.length > 0} onClose={() => setAdding(false)} />}
    </DeliverabilityPage>
  )
}
