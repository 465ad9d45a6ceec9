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
import { GatewayStateBadge } from './GatewayStateBadge.tsx'
import {
  type ApiGatewayKind,
  findNextCarrier,
  type GatewayForm,
  type GatewayFormSource,
  gatewayKindsQuery,
  gatewaysQuery,
  listGatewayPointers,
  loadGatewayForm,
  omitGatewaySecrets,
  saveGatewayForm,
} from './model.ts'
import { useGatewayLabels } from './words.ts'

const route = getRouteApi('/settings/gateways/$id')

/** Describes what happens to messages after the gateway is removed. */
function useRemovalNotice({ gateway }: GatewayFormSource): string {
  const gatewayLabels = useGatewayLabels()
  const allGateways = useQuery(gatewaysQuery).data ?? []
  const channelLabel = gatewayLabels.channel(gateway.channel)
  const nextCarrier = findNextCarrier(allGateways, gateway)
  const carrierNotice = !gateway.carries
    ? gatewayLabels.t('removeIdle', { channel: channelLabel })
    : nextCarrier
      ? gatewayLabels.t('removeNext', { channel: channelLabel, name: nextCarrier.name })
      : gatewayLabels.t('removeLast', { channel: channelLabel })
  return gateway.scope === 'installation' ? `${carrierNotice} ${gatewayLabels.t('removeAll')}` : carrierNotice
}

function GatewayAside({ loaded: { gateway } }: { loaded: GatewayFormSource }) {
  const gatewayLabels = useGatewayLabels()
  const { t } = gatewayLabels
  const { person } = useCurrentUser()
  const { id, channel, kind, scope, carries, creationDate, secrets } = gateway
  const gatewayDetails = [
    { key: 'kind', label: t('kind'), value: gatewayLabels.kind(kind) },
    { key: 'channel', label: t('channel'), value: gatewayLabels.channel(channel) },
    { key: 'scope', label: t('from'), value: t(scope) },
    {
      key: 'use',
      label: t('use'),
      value: t(carries ? `uses_${scope}` : 'usesNothing', { channel: gatewayLabels.channel(channel) }),
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
        <FactList facts={gatewayDetails} />
      </PagePanel>
    </>
  )
}

function LoadedGatewayPage({ id, loaded, kind }: { id: string; loaded: GatewayFormSource; kind: ApiGatewayKind }) {
  const { t } = useGatewayLabels()
  const { person } = useCurrentUser()
  const queryClient = useQueryClient()
  const navigate = route.useNavigate()
  const removalNotice = useRemovalNotice(loaded)
  const { gateway } = loaded
  const removal = {
    title: t('removeTitle', { name: gateway.name }),
    action: t('remove'),
    why: removalNotice,
    done: t('removed', { name: gateway.name }),
    remove: async () => {
      await apiClient.deleteGateway({ path: { id } })
      await queryClient.invalidateQueries({ queryKey: gatewaysQuery.queryKey, exact: true })
      await navigate({ to: '/settings/gateways' })
    },
  }
  return (
    <ResourcePage<GatewayForm>
      key={`${loaded.etag}`}
      name={`gateway.${id}`}
      title={gateway.name}
      parent={{ label: t('gateways'), to: '/settings/gateways' }}
      badge={<GatewayStateBadge gateway={gateway} />}
      stored={loaded}
      isReadOnly={!person.operator}
      save={(document, etag) => saveGatewayForm(id, loaded.data, document, etag)}
      load={() => loadGatewayForm(id)}
      kept={omitGatewaySecrets}
      onSaved={() => void queryClient.invalidateQueries({ queryKey: ['gateways'] })}
      removal={removal}
      pointers={listGatewayPointers(kind)}
      aside={<GatewayAside loaded={loaded} />}
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
  const kindsQuery = useQuery(gatewayKindsQuery)
  const gatewayQuery = useQuery({
    queryKey: ['gateways', id],
    queryFn: () => loadGatewayForm(id),
    refetchOnWindowFocus: false,
  })
  const gatewayKind = kindsQuery.data?.find((candidate) => candidate.kind === gatewayQuery.data?.gateway.kind)
  const combinedQuery = {
    ...gatewayQuery,
    data: gatewayKind && gatewayQuery.data,
    error: gatewayQuery.error ?? kindsQuery.error,
  }
  return (
    <DocumentLoader
      read={combinedQuery}
      title={t('gateway')}
      parent={{ label: t('gateways'), to: '/settings/gateways' }}
    >
      {(loaded) => <LoadedGatewayPage id={id} loaded={loaded} kind={gatewayKind!} />}
    </DocumentLoader>
  )
}
