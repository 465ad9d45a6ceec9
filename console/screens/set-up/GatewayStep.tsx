import { Button, NumberInput, Select, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import type { Answer } from '../../api/shapes.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Password } from '../../parts/Password.tsx'
import { Problem } from '../../parts/Problem.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { useAct } from '../../parts/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './SetUp.module.css'
import { setUpTexts } from './texts.ts'

type Gateway = Answer<'/gateways', 'get'>[number]

function Line({ gateway: { id, name, kind } }: { gateway: Gateway }) {
  const t = useText(setUpTexts)
  const { person } = useMe()
  const [tried, setTried] = useState<Answer<'/gateways/{id}/test', 'post'>>()
  const attempt = useAct(async () => {
    if (id !== null) setTried(await data(api.POST('/gateways/{id}/test', { params: { path: { id: String(id) } } })))
  })
  return (
    <>
      <div className={styles['row']}>
        <strong>{name}</strong>
        <small>{kind}</small>
        <Badge tone="good">{t('carries')}</Badge>
        {person.operator && id !== null && (
          <Button variant="default" size="compact-sm" loading={attempt.isBusy} onClick={() => void attempt.run()}>
            {t('gatewayTest')}
          </Button>
        )}
      </div>
      {tried && <p className={styles[tried.ok ? 'fine' : 'notice']}>{tried.detail}</p>}
      {attempt.error !== null && <Problem error={attempt.error} />}
    </>
  )
}

const EMPTY = { host: '', port: 587, tls: 'required', username: '', password: '' }

function RelayForm() {
  const t = useText(setUpTexts)
  const queries = useQueryClient()
  const [given, setGiven] = useState(EMPTY)
  const change = (member: 'host' | 'username' | 'password') => (event: ChangeEvent<HTMLInputElement>) =>
    setGiven({ ...given, [member]: event.currentTarget.value })
  const { error, isBusy, submit } = useAct(async () => {
    const { host, port, tls, username, password } = given
    const secrets = username === '' ? null : { username, password }
    const body = { kind: 'smtp', channel: 'email' as const, name: host, settings: { host, port, tls }, secrets }
    await data(api.POST('/gateways', { body }))
    await queries.invalidateQueries({ queryKey: ['gateways'] })
  })
  const choices = [
    { value: 'required', label: t('tlsRequired') },
    { value: 'implicit', label: t('tlsImplicit') },
    { value: 'opportunistic', label: t('tlsOpportunistic') },
    { value: 'none', label: t('tlsNone') },
  ]
  return (
    <form onSubmit={submit} style={{ display: 'grid', gap: 14 }}>
      <div className={styles['row']}>
        <TextInput
          label={t('host')}
          placeholder="smtp.example.com"
          required
          w={260}
          value={given.host}
          onChange={change('host')}
        />
        <NumberInput
          label={t('port')}
          w={90}
          hideControls
          value={given.port}
          onChange={(port) => setGiven({ ...given, port: Number(port) })}
        />
        <Select
          label={t('tls')}
          w={240}
          allowDeselect={false}
          data={choices}
          value={given.tls}
          onChange={(tls) => setGiven({ ...given, tls: tls ?? EMPTY.tls })}
        />
      </div>
      <div className={styles['row']}>
        <TextInput label={t('user')} autoComplete="off" w={260} value={given.username} onChange={change('username')} />
        <Password
          label={t('passwordRelay')}
          autoComplete="off"
          w={260}
          value={given.password}
          onChange={change('password')}
        />
      </div>
      {error !== null && <Problem error={error} />}
      <Button type="submit" variant="default" loading={isBusy} style={{ justifySelf: 'start' }}>
        {t('gatewayAdd')}
      </Button>
    </form>
  )
}

/** What carries mail; without it, messages are captured. */
export function GatewayStep() {
  const t = useText(setUpTexts)
  const { person } = useMe()
  const read = useQuery({ queryKey: ['gateways'], queryFn: ({ signal }) => data(api.GET('/gateways', { signal })) })
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton />
  const carrying = read.data.filter(({ channel, carries }) => channel === 'email' && carries)
  return (
    <>
      <p>{t('gatewayWhy')}</p>
      {carrying.map((gateway) => (
        <Line key={gateway.id ?? gateway.name} gateway={gateway} />
      ))}
      {carrying.length === 0 && <p className={styles['notice']}>{t('captureWhy')}</p>}
      {carrying.length === 0 && (person.operator ? <RelayForm /> : <p>{t('operatorOnly')}</p>)}
    </>
  )
}
