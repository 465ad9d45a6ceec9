import { Button, Modal } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { GatewayFields } from './GatewayFields.tsx'
import styles from './GatewaysPage.module.css'
import {
  type ApiGatewayChannel,
  type ApiGatewayKind,
  createBlankGateway,
  createGatewayFromForm,
  GATEWAY_CHANNEL_ORDER,
  type GatewayForm,
  gatewayKindsQuery,
  listGatewayPointers,
  omitGatewaySecrets,
} from './model.ts'
import { useGatewayLabels } from './words.ts'

const route = getRouteApi('/settings/gateways/new')

/** Kinds of one channel each stand with it; one that carries all stands with the first. */
function KindList({ kinds, channel }: { kinds: readonly ApiGatewayKind[]; channel: ApiGatewayChannel }) {
  const gatewayLabels = useGatewayLabels()
  return (
    <section>
      <h2>{gatewayLabels.channel(channel)}</h2>
      <ul>
        {kinds
          .filter(
            (kind) =>
              kind.channels.includes(channel) && (kind.channels.length === 1 || channel === GATEWAY_CHANNEL_ORDER[0]),
          )
          .map(({ kind }) => (
            <li key={kind}>
              <Link to="/settings/gateways/new" search={{ kind }}>
                <strong>{gatewayLabels.kind(kind)}</strong>
                <small>{gatewayLabels.kindWhy(kind)}</small>
              </Link>
            </li>
          ))}
      </ul>
    </section>
  )
}

/** The address of receipts and replies: it is shown this once. */
function CallbackAddress({ address, onClose }: { address: string; onClose(): void }) {
  const { t } = useGatewayLabels()
  return (
    <Modal opened onClose={onClose} withCloseButton={false} title={t('callback')} size={560}>
      <div className={styles['group']}>
        <p>{t('callbackWhy')}</p>
        <CodeBlock code={address} label={t('callback')} wrap />
        <Button onClick={onClose}>{t('callbackKept')}</Button>
      </div>
    </Modal>
  )
}

function GatewayCreation({ kind }: { kind: ApiGatewayKind }) {
  const gatewayLabels = useGatewayLabels()
  const { t } = gatewayLabels
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [createdGateway, setCreatedGateway] = useState<{ id: number; callback: string } | null>(null)
  const blankGateway = { data: createBlankGateway(kind), etag: null }
  const openGateway = (id: number) =>
    navigate({ to: '/settings/gateways/$id', params: { id: String(id) }, replace: true })
  return (
    <>
      <ResourcePage<GatewayForm>
        name={`gateway.new.${kind.kind}`}
        title={gatewayLabels.kind(kind.kind)}
        parent={{ label: t('gateways'), to: '/settings/gateways' }}
        note={gatewayLabels.kindWhy(kind.kind)}
        stored={blankGateway}
        isNew
        isReadOnly={false}
        save={async (document) => {
          const { id, callback } = await createGatewayFromForm(document)
          await queryClient.invalidateQueries({ queryKey: ['gateways'], refetchType: 'none' })
          if (id !== null && callback !== null) setCreatedGateway({ id, callback })
          else if (id !== null) await openGateway(id)
          return { data: omitGatewaySecrets(document), etag: null }
        }}
        load={async () => blankGateway}
        kept={omitGatewaySecrets}
        onSaved={() => undefined}
        pointers={listGatewayPointers(kind)}
      >
        {(form) => <GatewayFields form={form} kind={kind} isNew isReadOnly={false} known={[]} />}
      </ResourcePage>
      {createdGateway && (
        <CallbackAddress address={createdGateway.callback} onClose={() => void openGateway(createdGateway.id)} />
      )}
    </>
  )
}

/** A gateway that is made: which kind, then its settings. */
export function NewGatewayPage() {
  const gatewayLabels = useGatewayLabels()
  const { t } = gatewayLabels
  const { kind } = route.useSearch()
  const kindsQuery = useQuery(gatewayKindsQuery)
  const parent = { label: t('gateways'), to: '/settings/gateways' }
  return (
    <DocumentLoader read={kindsQuery} title={t('add')} parent={parent}>
      {(allKinds) => {
        const chosenKind = allKinds.find((candidate) => candidate.kind === kind)
        if (chosenKind) return <GatewayCreation key={chosenKind.kind} kind={chosenKind} />
        return (
          <ScreenPage title={t('add')} parent={parent} note={t('addWhy')}>
            <div className={styles['kinds']}>
              {GATEWAY_CHANNEL_ORDER.map((channel) => (
                <KindList key={channel} kinds={allKinds} channel={channel} />
              ))}
            </div>
          </ScreenPage>
        )
      }}
    </DocumentLoader>
  )
}
