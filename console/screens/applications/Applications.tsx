import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import type { Answer } from '../../api/shapes.ts'
import { Badge } from '../../components/Badge.tsx'
import { Empty } from '../../components/layout/Empty.tsx'
import { Num } from '../../components/Num.tsx'
import { Time } from '../../components/Time.tsx'
import type { Column } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useArrayRows } from '../../components/table/rows.ts'
import { useCreateKey } from '../../layout/dialogs/keys.tsx'
import { pathOf } from '../../paths.ts'
import { type Text, useText } from '../../text/catalogue.ts'
import { type Format, useFormat } from '../../text/format.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { type ProviderType, useDevices } from './application-kind.ts'
import type en from './en.ts'
import { applicationTexts } from './texts.ts'

const route = getRouteApi('/settings/applications')

type Devices = NonNullable<ReturnType<typeof useDevices>['data']>[number]
type Listed = Answer<'/parameters/applications', 'get'>[number]
type Row = Omit<Listed, 'providers'> & { providers: readonly { type: ProviderType }[]; devices: Devices | undefined }

const columnsOf = (t: Text<typeof en>, format: Format): Column<Row>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 180, grow: 3 },
  {
    ...{ key: 'state', header: t('state'), width: 110 },
    cell: ({ active }) => <Badge tone={active ? 'good' : 'neutral'}>{t(active ? 'active' : 'inactive')}</Badge>,
  },
  {
    ...{ key: 'providers', header: t('providers'), width: 200, grow: 2 },
    cell: ({ providers }) => format.list(providers.map(({ type }) => t(type))),
  },
  {
    ...{ key: 'registration', header: t('registration'), width: 130 },
    cell: ({ registration: { open, proof } }) => {
      if (!open) return t('byServer')
      if (proof === 'required') return t('signed')
      return (
        <Badge tone="warning" hint={t('proofNoneWhy')}>
          {t('notChecked')}
        </Badge>
      )
    },
  },
  {
    ...{ key: 'devices', header: t('devices'), width: 100, align: 'end' },
    cell: ({ devices }) => <Num value={devices?.subscriptions ?? 0} />,
  },
  {
    ...{ key: 'live', header: t('live'), width: 100, align: 'end' },
    cell: ({ devices }) => <Num value={devices?.live ?? 0} />,
  },
  {
    ...{ key: 'latest', header: t('latest'), width: 150 },
    cell: ({ devices }) => (devices?.latest ? <Time at={devices.latest} /> : t('never')),
  },
]

/** Apps and sites that get pushes, with how many devices use them. */
export function Applications() {
  const t = useText(applicationTexts)
  const format = useFormat()
  const navigate = route.useNavigate()
  const mayWrite = useMay('admin')
  const read = useQuery({
    queryKey: ['applications'],
    queryFn: ({ signal }) => data(api.GET('/parameters/applications', { signal })),
  })
  const devices = useDevices().data
  const all = useMemo(() => {
    const byId = new Map(devices?.map((one) => [one.application, one]))
    return read.data?.map((application) => ({ ...application, devices: byId.get(application.id) }))
  }, [read.data, devices])
  const rows = useArrayRows<Row>({ ...read, data: all })
  useCreateKey(() => void navigate({ to: '/settings/applications/$id', params: { id: 'new' } }), mayWrite)
  const create = mayWrite && (
    <Button renderRoot={(props) => <Link to="/settings/applications/$id" params={{ id: 'new' }} {...props} />}>
      {t('newApplication')}
    </Button>
  )
  return (
    <SettingsPage action={rows.total > 0 && create}>
      <DataTable
        name="applications"
        label={t('applications')}
        rows={rows}
        columns={useMemo(() => columnsOf(t, format), [t, format])}
        keyOf={({ id }) => id}
        linkOf={({ id }) => pathOf.application(id)}
        empty={
          <Empty title={t('empty')} action={create}>
            {t('emptyWhy')}
          </Empty>
        }
      />
    </SettingsPage>
  )
}
