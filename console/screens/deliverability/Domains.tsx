import { Button, Modal } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../../api/me.ts'
import { Badge } from '../../components/Badge.tsx'
import { Empty } from '../../components/layout/Empty.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Sheet } from '../../components/layout/Sheet.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { Time } from '../../components/Time.tsx'
import { partTexts } from '../../components/texts.ts'
import { useCreateKey } from '../../layout/dialogs/keys.tsx'
import { useText } from '../../text/catalogue.ts'
import { AddDomain } from './AddDomain.tsx'
import styles from './Deliverability.module.css'
import { DeliverabilityPage } from './DeliverabilityPage.tsx'
import { type DomainRecord, domainQuery, domainsQuery, stateOf, tones } from './domain-records.ts'
import { deliverabilityTexts } from './texts.ts'

const purposes = ['SPF', 'DKIM', 'DMARC', 'MX', 'tracking'] as const

function Purpose({ records, purpose }: { records: readonly DomainRecord[]; purpose: DomainRecord['purpose'] }) {
  const t = useText(deliverabilityTexts)
  const state = stateOf(records.filter((record) => record.purpose === purpose))
  return state === undefined ? null : <Badge tone={tones[state]}>{t(state)}</Badge>
}

function Adding({ hasOthers, onClose }: { hasOthers: boolean; onClose(): void }) {
  const [t, parts] = [useText(deliverabilityTexts), useText(partTexts)]
  const navigate = useNavigate()
  const open = (name: string) => void navigate({ to: '/deliverability/domains/$name', params: { name } })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('domainAdd')}
      size={480}
      closeButtonProps={{ 'aria-label': parts('close') }}
    >
      <AddDomain hasOthers={hasOthers} onAdded={open} />
    </Modal>
  )
}

/** The domains to send from, and which of their records were found. */
export function Domains() {
  const t = useText(deliverabilityTexts)
  const { person } = useMe()
  const [isAdding, setAdding] = useState(false)
  useCreateKey(() => setAdding(true), person.operator)
  const read = useQuery(domainsQuery)
  const domains = read.data ?? []
  const details = useQueries({ queries: domains.map(({ name }) => domainQuery(name)) })
  const add = person.operator && <Button onClick={() => setAdding(true)}>{t('domainAdd')}</Button>
  return (
    <DeliverabilityPage action={domains.length > 0 && add}>
      <div className={styles['parts']}>
        {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
        {read.isPending && <Skeleton />}
        {read.data && domains.length === 0 && (
          <Empty title={t('domainsEmpty')} action={add}>
            {t('domainsEmptyWhy')}
          </Empty>
        )}
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
      {isAdding && <Adding hasOthers={domains.length > 0} onClose={() => setAdding(false)} />}
    </DeliverabilityPage>
  )
}
