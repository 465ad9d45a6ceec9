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
  const words = useGatewayLabels()
  return (
    <section>
      <h2>{words.channel(channel)}</h2>
      <ul>
        {kinds
          .filter(
            (kind) =>
              kind.channels.includes(channel) && (kind.channels.length === 1 || channel === GATEWAY_CHANNEL_ORDER[0]),
          )
          .map(({ kind }) => (
            <li key={kind}>
              <Link to="/settings/gateways/new" search={{ kind }}>
                <strong>{words.kind(kind)}</strong>
                <small>{words.kindWhy(kind)}</small>
              </Link>
            </li>
          ))}
      </ul>
    </section>
  )
}

/** The address of receipts and replies: it is shown this once. */
function Callback({ address, onClose }: { address: string; onClose(): void }) {
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

function Making({ kind }: { kind: ApiGatewayKind }) {
  const words = useGatewayLabels()
  const { t } = words
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [made, setMade] = useState<{ id: number; callback: string } | null>(null)
  const blank = { data: createBlankGateway(kind), etag: null }
  const leave = (id: number) => navigate({ to: '/settings/gateways/$id', params: { id: String(id) }, replace: true })
  return (
    <>
      <ResourcePage<GatewayForm>
        name={`gateway.new.${kind.kind}`}
        title={words.kind(kind.kind)}
        parent={{ label: t('gateways'), to: '/settings/gateways' }}
        note={words.kindWhy(kind.kind)}
        stored={blank}
        isNew
        isReadOnly={false}
        save={async (document) => {
          const { id, callback } = await createGatewayFromForm(document)
          await queries.invalidateQueries({ queryKey: ['gateways'], refetchType: 'none' })
          if (id !== null && callback !== null) setMade({ id, callback })
          else if (id !== null) await leave(id)
          return { data: omitGatewaySecrets(document), etag: null }
        }}
        load={async () => blank}
        kept={omitGatewaySecrets}
        onSaved={() => undefined}
        pointers={listGatewayPointers(kind)}
      >
        {(form) => <GatewayFields form={form} kind={kind} isNew isReadOnly={false} known={[]} />}
      </ResourcePage>
      {made && <Callback address={made.callback} onClose={() => void leave(made.id)} />}
    </>
  )
}

/** A gateway that is made: which kind, then its settings. */
export function NewGatewayPage() {
  const words = useGatewayLabels()
  const { t } = words
  const { kind } = route.useSearch()
  const kinds = useQuery(gatewayKindsQuery)
  const parent = { label: t('gateways'), to: '/settings/gateways' }
  return (
    <DocumentLoader read={kinds} title={t('add')} parent={parent}>
      {(all) => {
        const chosen = all.find((one) => one.kind === kind)
        if (chosen) return <Making key={chosen.kind} kind={chosen} />
        return (
          <ScreenPage title={t('add')} parent={parent} note={t('addWhy')}>
            <div className={styles['kinds']}>
              {GATEWAY_CHANNEL_ORDER.map((channel) => (
                <KindList key={channel} kinds={all} channel={channel} />
              ))}
            </div>
          </ScreenPage>
        )
      }}
    </DocumentLoader>
  )
}
