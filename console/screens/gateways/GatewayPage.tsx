import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { apiClient } from '../../api/client.ts'
import { useCurrentUser } from '../../api/me.ts'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import { FactList, PagePanel } from '../../components/layout/PagePanel.tsx'
import { ConnectionTest } from './ConnectionTest.tsx'
import { GatewayFields } from './GatewayFields.tsx'
import { GatewayScopeBadge } from './GatewaysPage.tsx'
import {
  type ApiGatewayKind,
  findNextCarrier,
  type GatewayForm,
  gatewayKindsQuery,
  gatewaysQuery,
  type GatewayFormSource as LoadedGateway,
  listGatewayPointers,
  loadGatewayForm,
  omitGatewaySecrets,
  saveGatewayForm,
} from './model.ts'
import { useGatewayLabels } from './words.ts'

const route = getRouteApi('/settings/gateways/$id')

/** What becomes of messages once the gateway is gone. */
function useRemovalWords({ gateway }: LoadedGateway): string {
  const words = useGatewayLabels()
  const all = useQuery(gatewaysQuery).data ?? []
  const channel = words.channel(gateway.channel)
  const after = findNextCarrier(all, gateway)
  const own = !gateway.carries
    ? words.t('removeIdle', { channel })
    : after
      ? words.t('removeNext', { channel, name: after.name })
      : words.t('removeLast', { channel })
  return gateway.scope === 'installation' ? `${own} ${words.t('removeAll')}` : own
}

function Aside({ loaded: { gateway } }: { loaded: LoadedGateway }) {
  const words = useGatewayLabels()
  const { t } = words
  const { person } = useCurrentUser()
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
    ...(creationDate ? [{ key: 'made', label: t('made'), value: <FormattedTime at={creationDate} /> }] : []),
  ]
  return (
    <>
      {person.operator && id !== null && (
        <PagePanel title={t('testTitle')}>
          <p>{t('testWhy')}</p>
          <ConnectionTest id={id} />
        </PagePanel>
      )}
      <PagePanel title={t('about')}>
        <FactList facts={facts} />
      </PagePanel>
    </>
  )
}

function Known({ id, loaded, kind }: { id: string; loaded: LoadedGateway; kind: ApiGatewayKind }) {
  const { t } = useGatewayLabels()
  const { person } = useCurrentUser()
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
      await apiClient.DELETE('/gateways/{id}', { params: { path: { id } } })
      await queries.invalidateQueries({ queryKey: gatewaysQuery.queryKey, exact: true })
      await navigate({ to: '/settings/gateways' })
    },
  }
  return (
    <ResourcePage<GatewayForm>
      key={`${loaded.etag}`}
      name={`gateway.${id}`}
      title={gateway.name}
      parent={{ label: t('gateways'), to: '/settings/gateways' }}
      badge={<GatewayScopeBadge gateway={gateway} />}
      stored={loaded}
      isReadOnly={!person.operator}
      save={(document, etag) => saveGatewayForm(id, loaded.data, document, etag)}
      load={() => loadGatewayForm(id)}
      kept={omitGatewaySecrets}
      onSaved={() => void queries.invalidateQueries({ queryKey: ['gateways'] })}
      removal={removal}
      pointers={listGatewayPointers(kind)}
      aside={<Aside loaded={loaded} />}
    >
      {(form) => (
        <GatewayFields form={form} kind={kind} isNew={false} isReadOnly={!person.operator} known={gateway.secrets} />
      )}
    </ResourcePage>
  )
}

/** One gateway: its settings by the definition of its kind, its secrets to be written, a test, and its removal. */
export function GatewayPage() {
  const { t } = useGatewayLabels()
  const { id } = route.useParams()
  const kinds = useQuery(gatewayKindsQuery)
  const read = useQuery({
    queryKey: ['gateways', id],
    queryFn: () => loadGatewayForm(id),
    refetchOnWindowFocus: false,
  })
  const kind = kinds.data?.find((one) => one.kind === read.data?.gateway.kind)
  const both = { ...read, data: kind && read.data, error: read.error ?? kinds.error }
  return (
    <DocumentLoader read={both} title={t('gateway')} parent={{ label: t('gateways'), to: '/settings/gateways' }}>
      {(loaded) => <Known id={id} loaded={loaded} kind={kind!} />}
    </DocumentLoader>
  )
}
