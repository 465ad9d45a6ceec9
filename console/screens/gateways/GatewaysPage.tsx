import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCurrentUser, useHasRight } from '../../api/me.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { hasHeadAction, useArrayTableRows } from '../../components/table/rows.ts'
import { useCreateShortcut } from '../../layout/dialogs/keys.tsx'
import { useLocaleFormat } from '../../text/format.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { GatewayStateBadge } from './GatewayStateBadge.tsx'
import styles from './GatewaysPage.module.css'
import { type ApiGateway, findChannelCarrier, GATEWAY_CHANNEL_ORDER, gatewaysQuery } from './model.ts'
import { type GatewayLabels, useGatewayLabels } from './words.ts'

const createColumns = (gatewayLabels: GatewayLabels): TableColumn<ApiGateway>[] => {
  const { t } = gatewayLabels
  return [
    { key: 'name', header: t('name'), width: 180, grow: 2, cell: ({ name }) => <bdi>{name}</bdi> },
    { key: 'state', header: t('state'), width: 130, cell: (gateway) => <GatewayStateBadge gateway={gateway} /> },
    { key: 'channel', header: t('channel'), width: 110, cell: ({ channel }) => gatewayLabels.channel(channel) },
    { key: 'kind', header: t('kind'), width: 190, cell: ({ kind }) => gatewayLabels.kind(kind) },
    {
      key: 'use',
      header: t('use'),
      width: 260,
      grow: 2,
      cell: ({ carries, channel, scope }) =>
        t(carries ? `uses_${scope}` : 'usesNothing', { channel: gatewayLabels.channel(channel) }),
    },
    { key: 'scope', header: t('from'), width: 130, cell: ({ id, scope }) => t(id === null ? 'environment' : scope) },
  ]
}

/** Channels whose messages reach nobody: that is good to begin with, and to be known. */
function CapturedChannels({ gateways }: { gateways: readonly ApiGateway[] }) {
  const gatewayLabels = useGatewayLabels()
  const format = useLocaleFormat()
  const canRead = useHasRight('admin')
  const capturedChannels = GATEWAY_CHANNEL_ORDER.filter(
    (channel) => findChannelCarrier(gateways, channel) === undefined,
  )
  if (capturedChannels.length === 0) return null
  return (
    <p className={styles['captured']}>
      {gatewayLabels.t('capturedHere', {
        channels: format.list(capturedChannels.map(gatewayLabels.channel)),
        count: capturedChannels.length,
      })}{' '}
      {canRead && <Link to="/captured">{gatewayLabels.t('capturedRead')}</Link>}
    </p>
  )
}

/** The ways out for messages, in the order in which one is looked for. */
export function GatewaysPage() {
  const gatewayLabels = useGatewayLabels()
  const { person } = useCurrentUser()
  const navigate = useNavigate()
  useCreateShortcut(() => void navigate({ to: '/settings/gateways/new' }), person.operator)
  const gatewayListQuery = useQuery(gatewaysQuery)
  const rows = useArrayTableRows<ApiGateway>(gatewayListQuery)
  const newGatewayButton = person.operator && (
    <Button component={Link} to="/settings/gateways/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {gatewayLabels.t('add')}
    </Button>
  )
  return (
    <SettingsPage action={hasHeadAction(rows) && newGatewayButton}>
      <div className={styles['parts']}>
        {gatewayListQuery.data && <CapturedChannels gateways={gatewayListQuery.data} />}
        <DataTable
          name="gateways"
          cards={{ state: 'state', figures: ['channel'] }}
          label={gatewayLabels.t('gateways')}
          rows={rows}
          columns={createColumns(gatewayLabels)}
          keyOf={({ id, channel, name }) => String(id ?? `${channel} ${name}`)}
          linkOf={({ id }) => (id === null ? undefined : `/settings/gateways/${id}`)}
          empty={
            <EmptyState title={gatewayLabels.t('empty')} action={newGatewayButton}>
              {gatewayLabels.t(person.operator ? 'emptyWhy' : 'emptyOther')}
            </EmptyState>
          }
        />
      </div>
    </SettingsPage>
  )
}
