import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { Loaded } from '../../components/form/Loaded.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import { Facts, Panel } from '../../components/layout/Panel.tsx'
import { Time } from '../../components/Time.tsx'
import { ConnectionTest } from './ConnectionTest.tsx'
import { GatewayFields } from './GatewayFields.tsx'
import { GatewayState } from './Gateways.tsx'
import {
  carrierWithout,
  type GatewayDocument,
  gatewaysQuery,
  type Kind,
  kindsQuery,
  type Loaded as LoadedGateway,
  loadGateway,
  pointersOfKind,
  saveGateway,
  withoutSecrets,
} from './model.ts'
import { useWords } from './words.ts'

const route = getRouteApi('/settings/gateways/$id')

/** What becomes of messages once the gateway is gone. */
function useRemovalWords({ gateway }: LoadedGateway): string {
  const words = useWords()
  const all = useQuery(gatewaysQuery).data ?? []
  const channel = words.channel(gateway.channel)
  const after = carrierWithout(all, gateway)
  const own = !gateway.carries
    ? words.t('removeIdle', { channel })
    : after
      ? words.t('removeNext', { channel, name: after.name })
      : words.t('removeLast', { channel })
  return gateway.scope === 'installation' ? `${own} ${words.t('removeAll')}` : own
}

function Aside({ loaded: { gateway } }: { loaded: LoadedGateway }) {
  const words = useWords()
  const { t } = words
  const { person } = useMe()
  const { id, channel, kind, scope, carries, creationDate, secrets } = gateway
  const facts = [
    { key: 'kind', label: t('kind'), value: words.kind(kind) },
    { key: 'channel', label: t('channel'), value: words.channel(channel) },
    { key: 'scope', label: t('from'), value: t(scope) },
    {
      key: 'use',
      label: t('use'),
      value: t(carries ? `uses_${scope}` : 'usesNothing', { channel: words.channel(channel) }),
    },
    { key: 'secrets', label: t('secrets'), value: secrets.join(', ') || t('secretsNone') },
    ...(creationDate ? [{ key: 'made', label: t('made'), value: <Time at={creationDate} /> }] : []),
  ]
  return (
    <>
      {person.operator && id !== null && (
        <Panel title={t('testTitle')}>
          <p>{t('testWhy')}</p>
          <ConnectionTest id={id} />
        </Panel>
      )}
      <Panel title={t('about')}>
        <Facts facts={facts} />
      </Panel>
    </>
  )
}

function Known({ id, loaded, kind }: { id: string; loaded: LoadedGateway; kind: Kind }) {
  const { t } = useWords()
  const { person } = useMe()
  const queries = useQueryClient()
  const navigate = route.useNavigate()
  const why = useRemovalWords(loaded)
  const { gateway } = loaded
  const removal = {
    title: t('removeTitle', { name: gateway.name }),
    action: t('remove'),
    why,
    done: t('removed', { name: gateway.name }),
    remove: async () => {
      await api.DELETE('/gateways/{id}', { params: { path: { id } } })
      await queries.invalidateQueries({ queryKey: gatewaysQuery.queryKey, exact: true })
      await navigate({ to: '/settings/gateways' })
    },
  }
  return (
    <ResourcePage<GatewayDocument>
      key={`${loaded.etag}`}
      name={`gateway.${id}`}
      title={gateway.name}
      parent={{ label: t('gateways'), to: '/settings/gateways' }}
      badge={<GatewayState gateway={gateway} />}
      stored={loaded}
      isReadOnly={!person.operator}
      save={(document, etag) => saveGateway(id, loaded.data, document, etag)}
      load={() => loadGateway(id)}
      kept={withoutSecrets}
      onSaved={() => void queries.invalidateQueries({ queryKey: ['gateways'] })}
      removal={removal}
      pointers={pointersOfKind(kind)}
      aside={<Aside loaded={loaded} />}
    >
      {(form) => (
        <GatewayFields form={form} kind={kind} isNew={false} isReadOnly={!person.operator} known={gateway.secrets} />
      )}
    </ResourcePage>
  )
}

/** One gateway: its settings by the definition of its kind, its secrets to be written, a test, and its removal. */
export function Gateway() {
  const { t } = useWords()
  const { id } = route.useParams()
  const kinds = useQuery(kindsQuery)
  const read = useQuery({
    queryKey: ['gateways', id],
    queryFn: () => loadGateway(id),
    refetchOnWindowFocus: false,
  })
  const kind = kinds.data?.find((one) => one.kind === read.data?.gateway.kind)
  const both = { ...read, data: kind && read.data, error: read.error ?? kinds.error }
  return (
    <Loaded read={both} title={t('gateway')} parent={{ label: t('gateways'), to: '/settings/gateways' }}>
      {(loaded) => <Known id={id} loaded={loaded} kind={kind!} />}
    </Loaded>
  )
}
