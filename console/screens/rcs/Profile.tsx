import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data, versioned } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import type { Answer } from '../../api/shapes.ts'
import { Badge } from '../../components/Badge.tsx'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { Loaded } from '../../components/form/Loaded.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { Stored } from '../../components/form/use-form.ts'
import { useResource, useStored } from '../../components/form/use-resource.ts'
import { Facts, Panel } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Time } from '../../components/Time.tsx'
import { useAct } from '../../components/use-act.ts'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Members } from './Members.tsx'
import { type Profile as Document, profileKind } from './profile-kind.ts'
import { rcsTexts } from './texts.ts'

const route = getRouteApi('/settings/rcs/$id')

type Capability = Answer<'/channel/rcs/profiles/{id}/capabilities', 'get'>

/** Asks the provider about a phone: shows what it takes, and that the credentials work. */
function Try({ id }: { id: string }) {
  const t = useText(rcsTexts)
  const format = useFormat()
  const [phone, setPhone] = useState('')
  const [answer, setAnswer] = useState<Capability | null>(null)
  const ask = useAct(async () => {
    setAnswer(null)
    const params = { path: { id }, query: { phone } }
    setAnswer(await data(api.GET('/channel/rcs/profiles/{id}/capabilities', { params })))
  })
  return (
    <Panel title={t('try')}>
      <p>{t('tryWhy')}</p>
      <form onSubmit={ask.submit} style={{ display: 'flex', gap: 8, alignItems: 'flex-end' }}>
        <TextInput
          style={{ flex: 1 }}
          label={t('phone')}
          type="tel"
          autoComplete="off"
          value={phone}
          onChange={(event) => setPhone(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={ask.isBusy} disabled={phone.trim() === ''}>
          {t('ask')}
        </Button>
      </form>
      {ask.error !== null && <Problem error={ask.error} />}
      {answer && (
        <div role="status">
          <Badge tone={answer.reachable ? 'good' : 'warning'}>
            {t(answer.reachable ? 'reachable' : 'unreachable')}
          </Badge>
          <Facts
            facts={[
              { key: 'phone', label: t('phone'), value: <bdi>{answer.phone}</bdi> },
              { key: 'features', label: t('features'), value: format.list(answer.features) || t('noFeatures') },
              { key: 'checked', label: t('checked'), value: <Time at={answer.checkedAt} /> },
            ]}
          />
        </div>
      )}
    </Panel>
  )
}

/** The address that the provider tells of deliveries and replies. */
function Webhook({ id, url }: { id: string; url: string }) {
  const t = useText(rcsTexts)
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const renew = async (): Promise<void> => {
    const next = await versioned(api.POST('/channel/rcs/profiles/{id}/token', { params: { path: { id } } }))
    await queries.invalidateQueries({ queryKey: ['rcsProfile', id] })
    if (next.data.webhook) tell(t('renewed'))
  }
  return (
    <Panel title={t('webhook')}>
      <p>{t('webhookWhy')}</p>
      <CodeBlock code={url} label={t('url')} wrap />
      <div>
        <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
          {t('renew')}
        </Button>
      </div>
      {isAsking && (
        <Confirm title={t('renew')} action={t('renew')} onConfirm={renew} onClose={() => setAsking(false)}>
          <p>{t('renewWhy')}</p>
        </Confirm>
      )}
    </Panel>
  )
}

function Edit({ id, stored }: { id: string; stored: Stored<Document> }) {
  const t = useText(rcsTexts)
  const isReadOnly = !useMay('admin')
  const { name, active, webhook, provider } = stored.data
  const resource = useResource(profileKind, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteWhy'),
    done: t('deleted', { name }),
  })
  return (
    <ResourcePage<Document>
      {...resource}
      title={resource.isNew ? t('newProfile') : name}
      parent={{ label: t('profiles'), to: '/settings/rcs' }}
      stored={stored}
      isReadOnly={isReadOnly}
      badge={!resource.isNew && <Badge tone={active ? 'good' : 'neutral'}>{t(active ? 'active' : 'inactive')}</Badge>}
      pointers={POINTERS}
      aside={
        !resource.isNew && (
          <>
            {provider.type === 'google-rbm' && <Try id={id} />}
            {webhook && provider.type === 'google-rbm' && <Webhook id={id} url={webhook.url} />}
          </>
        )
      }
    >
      {(form) => <Members form={form} isReadOnly={isReadOnly} />}
    </ResourcePage>
  )
}

const POINTERS = [
  ...['/name', '/agent', '/active', '/country', '/speed', '/description', '/provider/region'],
  ...['/provider/credentials', '/provider/clientToken', '/capability/cacheHours', '/fallback/sender'],
]

/** An agent that rich messages are sent with. */
export function Profile() {
  const t = useText(rcsTexts)
  const { id } = route.useParams()
  const profile = useStored(profileKind, id)
  return (
    <Loaded read={profile} title={t('profile')} parent={{ label: t('profiles'), to: '/settings/rcs' }}>
      {(stored) => <Edit key={id} id={id} stored={stored} />}
    </Loaded>
  )
}
