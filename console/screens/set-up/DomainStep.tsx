import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import type { Answer } from '../../api/shapes.ts'
import { Badge, type Tone } from '../../parts/Badge.tsx'
import { Copy } from '../../parts/Copy.tsx'
import { Problem } from '../../parts/Problem.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Time } from '../../parts/Time.tsx'
import { useAct } from '../../parts/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './SetUp.module.css'
import { useDomains } from './stored.ts'
import { setUpTexts } from './texts.ts'

type Domain = Answer<'/domains/{name}', 'get'>
type DnsRecord = Domain['records'][number]

const TONES: Record<DnsRecord['state'], Tone> = { found: 'good', missing: 'bad', unchecked: 'neutral' }

function RecordRow({ record: { purpose, type, name, value, state, found } }: { record: DnsRecord }) {
  const t = useText(setUpTexts)
  return (
    <tr>
      <th scope="row">
        <Badge tone={TONES[state]}>{t(state)}</Badge>
      </th>
      <td>
        {type} <small>{purpose}</small>
      </td>
      <td className={styles['value']}>
        <Copy value={name} />
      </td>
      <td className={styles['value']}>
        {value === null ? t('ownAddresses') : <Copy value={value} />}
        {state === 'missing' && found.length > 0 && <small>{`${t('foundThere')}: ${found.join(' · ')}`}</small>}
      </td>
    </tr>
  )
}

function Records({ name }: { name: string }) {
  const t = useText(setUpTexts)
  const queries = useQueryClient()
  const { person } = useMe()
  const queryKey = ['domains', name]
  const path = { params: { path: { name } } }
  const read = useQuery({ queryKey, queryFn: ({ signal }) => data(api.GET('/domains/{name}', { ...path, signal })) })
  const check = useAct(async () => {
    queries.setQueryData(queryKey, await data(api.POST('/domains/{name}/check', path)))
  })
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
      <div className={styles['records']} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('recordState')}</th>
              <th scope="col">{t('recordType')}</th>
              <th scope="col">{t('recordName')}</th>
              <th scope="col">{t('recordValue')}</th>
            </tr>
          </thead>
          <tbody>
            {read.data.records.map((record) => (
              <RecordRow key={`${record.type} ${record.name} ${record.value}`} record={record} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function AddDomain() {
  const t = useText(setUpTexts)
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const { error, isBusy, submit } = useAct(async () => {
    await data(api.POST('/domains', { body: { name } }))
    setName('')
    await queries.invalidateQueries({ queryKey: ['domains'] })
  })
  return (
    <form onSubmit={submit} style={{ display: 'grid', gap: 12 }}>
      <div className={styles['row']}>
        <TextInput
          label={t('domainAdd')}
          placeholder="news.example.com"
          required
          w={300}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={isBusy}>
          {t('add')}
        </Button>
      </div>
      <small>{t('domainAddWhy')}</small>
      {error !== null && <Problem error={error} />}
    </form>
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
        <Records key={name} name={name} />
      ))}
      {person.operator ? <AddDomain /> : <p>{t('operatorOnly')}</p>}
    </>
  )
}
