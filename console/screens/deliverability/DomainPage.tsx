import { Button, Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { useCurrentUser } from '../../api/me.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Deliverability.module.css'
import { DomainRecordList } from './DomainRecordList.tsx'
import { type ApiDomain, domainQuery, domainsQuery, useDomainCheck } from './domain-records.ts'
import { deliverabilityTexts } from './texts.ts'

const route = getRouteApi('/deliverability/domains/$name')

function DeleteDialog({ domain, onClose }: { domain: ApiDomain; onClose(): void }) {
  const t = useTranslator(deliverabilityTexts)
  const { name } = domain
  const queryClient = useQueryClient()
  const navigate = route.useNavigate()
  const deleteDomain = async (): Promise<void> => {
    await apiClient.deleteDomain({ path: { name } })
    await queryClient.invalidateQueries({ queryKey: domainsQuery.queryKey, exact: true })
    await navigate({ to: '/deliverability/domains' })
    showToast(t('domainRemoved', { name }))
  }
  return (
    <ConfirmDialog
      title={t('domainRemoveTitle', { name })}
      action={t('domainRemove')}
      name={domain.verified ? name : undefined}
      onConfirm={deleteDomain}
      onClose={onClose}
    >
      <p>{t(domain.verified ? 'domainRemoveSigned' : 'domainRemoveUnsigned', { name })}</p>
      {domain.default && <p>{t('domainRemoveDefault')}</p>}
      <p>{t('domainRemoveKeys')}</p>
    </ConfirmDialog>
  )
}

function LoadedDomain({ domain }: { domain: ApiDomain }) {
  const t = useTranslator(deliverabilityTexts)
  const { verified, records } = domain
  const lines = records.flatMap(({ line }) => line ?? [])
  return (
    <>
      <p className={styles['quiet']}>{t(verified ? 'verifiedWhy' : 'unverifiedWhy')}</p>
      <DomainRecordList records={records} />
      <PagePanel title={t('zoneFile')}>
        <p className={styles['quiet']}>{t('zoneFileWhy')}</p>
        <CodeBlock code={lines.join('\n')} label={domain.name} />
      </PagePanel>
    </>
  )
}

function useMakeDefault(name: string) {
  const t = useTranslator(deliverabilityTexts)
  const queryClient = useQueryClient()
  return useAsyncAction(async () => {
    await apiClient.createDomain({ body: { name, default: true } })
    await queryClient.invalidateQueries({ queryKey: ['domains'] })
    showToast(t('defaultMade', { name }))
  })
}

/** A domain: the records to publish, each with what was found of it; and its removal. */
export function DomainPage() {
  const t = useTranslator(deliverabilityTexts)
  const { name } = route.useParams()
  const { person } = useCurrentUser()
  const [isRemoving, setRemoving] = useState(false)
  const domainDetailsQuery = useQuery(domainQuery(name))
  const domainCheck = useDomainCheck(name)
  const makeDefault = useMakeDefault(name)
  const { verified, checkedDate, default: isDefault } = domainDetailsQuery.data ?? {}
  const menuItems = (
    <>
      {!isDefault && <Menu.Item onClick={() => void makeDefault.run()}>{t('makeDefault')}</Menu.Item>}
      <Menu.Item color="red" onClick={() => setRemoving(true)}>
        {t('domainRemove')}
      </Menu.Item>
    </>
  )
  return (
    <ScreenPage
      title={name}
      parent={{ label: t('domains'), to: '/deliverability/domains' }}
      badge={
        domainDetailsQuery.data && (
          <StateBadge tone={verified ? 'good' : 'warning'}>{t(verified ? 'verified' : 'unverified')}</StateBadge>
        )
      }
      note={
        <>
          {isDefault && `${t('isDefault')} · `}
          {checkedDate ? t('checkedAt') : t('unchecked')} {checkedDate && <FormattedTime at={checkedDate} />}
        </>
      }
      action={
        person.operator && (
          <Button loading={domainCheck.isBusy} onClick={() => void domainCheck.run()}>
            {t('check')}
          </Button>
        )
      }
      menu={person.operator && domainDetailsQuery.data && menuItems}
    >
      <div className={styles['parts']}>
        {domainDetailsQuery.error && (
          <ProblemAlert error={domainDetailsQuery.error} onRetry={() => void domainDetailsQuery.refetch()} />
        )}
        {domainCheck.error !== null && <ProblemAlert error={domainCheck.error} />}
        {makeDefault.error !== null && <ProblemAlert error={makeDefault.error} />}
        {domainDetailsQuery.isPending && <LoadingSkeleton />}
        {domainDetailsQuery.data && <LoadedDomain domain={domainDetailsQuery.data} />}
      </div>
      {isRemoving && domainDetailsQuery.data && (
        <DeleteDialog domain={domainDetailsQuery.data} onClose={() => setRemoving(false)} />
      )}
    </ScreenPage>
  )
}
