import { Button, Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { Badge } from '../../components/Badge.tsx'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { Time } from '../../components/Time.tsx'
import { useAct } from '../../components/use-act.ts'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from './Deliverability.module.css'
import { type DomainDocument, domainQuery, domainsQuery, useCheck } from './domain-records.ts'
import { Records } from './Records.tsx'
import { deliverabilityTexts } from './texts.ts'

const route = getRouteApi('/deliverability/domains/$name')

function Removal({ domain, onClose }: { domain: DomainDocument; onClose(): void }) {
  const t = useText(deliverabilityTexts)
  const { name } = domain
  const queries = useQueryClient()
  const navigate = route.useNavigate()
  const remove = async (): Promise<void> => {
    await api.DELETE('/domains/{name}', { params: { path: { name } } })
    await queries.invalidateQueries({ queryKey: domainsQuery.queryKey, exact: true })
    await navigate({ to: '/deliverability/domains' })
    tell(t('domainRemoved', { name }))
  }
  return (
    <Confirm
      title={t('domainRemoveTitle', { name })}
      action={t('domainRemove')}
      name={domain.verified ? name : undefined}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{t(domain.verified ? 'domainRemoveSigned' : 'domainRemoveUnsigned', { name })}</p>
      {domain.default && <p>{t('domainRemoveDefault')}</p>}
      <p>{t('domainRemoveKeys')}</p>
    </Confirm>
  )
}

function Shown({ domain }: { domain: DomainDocument }) {
  const t = useText(deliverabilityTexts)
  const { verified, records } = domain
  const lines = records.flatMap(({ line }) => line ?? [])
  return (
    <>
      <p className={styles['quiet']}>{t(verified ? 'verifiedWhy' : 'unverifiedWhy')}</p>
      <Records records={records} />
      <Panel title={t('zoneFile')}>
        <p className={styles['quiet']}>{t('zoneFileWhy')}</p>
        <CodeBlock code={lines.join('\n')} label={domain.name} />
      </Panel>
    </>
  )
}

function useMakingDefault(name: string) {
  const t = useText(deliverabilityTexts)
  const queries = useQueryClient()
  return useAct(async () => {
    await data(api.POST('/domains', { body: { name, default: true } }))
    await queries.invalidateQueries({ queryKey: ['domains'] })
    tell(t('defaultMade', { name }))
  })
}

/** A domain: the records to publish, each with what was found of it; and its removal. */
export function Domain() {
  const t = useText(deliverabilityTexts)
  const { name } = route.useParams()
  const { person } = useMe()
  const [isRemoving, setRemoving] = useState(false)
  const read = useQuery(domainQuery(name))
  const check = useCheck(name)
  const makeDefault = useMakingDefault(name)
  const { verified, checkedDate, default: isDefault } = read.data ?? {}
  const menu = (
    <>
      {!isDefault && <Menu.Item onClick={() => void makeDefault.run()}>{t('makeDefault')}</Menu.Item>}
      <Menu.Item color="red" onClick={() => setRemoving(true)}>
        {t('domainRemove')}
      </Menu.Item>
    </>
  )
  return (
    <Page
      title={name}
      parent={{ label: t('domains'), to: '/deliverability/domains' }}
      badge={read.data && <Badge tone={verified ? 'good' : 'warning'}>{t(verified ? 'verified' : 'unverified')}</Badge>}
      note={
        <>
          {isDefault && `${t('isDefault')} · `}
          {checkedDate ? t('checkedAt') : t('unchecked')} {checkedDate && <Time at={checkedDate} />}
        </>
      }
      action={
        person.operator && (
          <Button loading={check.isBusy} onClick={() => void check.run()}>
            {t('check')}
          </Button>
        )
      }
      menu={person.operator && read.data && menu}
    >
      <div className={styles['parts']}>
        {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
        {check.error !== null && <Problem error={check.error} />}
        {makeDefault.error !== null && <Problem error={makeDefault.error} />}
        {read.isPending && <Skeleton />}
        {read.data && <Shown domain={read.data} />}
      </div>
      {isRemoving && read.data && <Removal domain={read.data} onClose={() => setRemoving(false)} />}
    </Page>
  )
}
