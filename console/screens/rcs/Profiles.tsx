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
import { SettingsPage } from '../settings/SettingsPage.tsx'
import type en from './en.ts'
import { rcsTexts } from './texts.ts'

const route = getRouteApi('/settings/rcs')

type Listed = Answer<'/channel/rcs/profiles', 'get'>[number]
type Row = Omit<Listed, 'provider'> & { provider: { type: Listed['provider']['type'] } }

const columnsOf = (t: Text<typeof en>): Column<Row>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 180, grow: 3 },
  {
    ...{ key: 'state', header: t('state'), width: 110 },
    cell: ({ active }) => <Badge tone={active ? 'good' : 'neutral'}>{t(active ? 'active' : 'inactive')}</Badge>,
  },
  { key: 'agent', header: t('agent'), cell: ({ agent }) => <bdi>{agent}</bdi>, width: 160, grow: 2 },
  { key: 'kind', header: t('kind'), cell: ({ provider }) => t(provider.type), width: 170 },
  { key: 'country', header: t('country'), cell: ({ country }) => country, width: 90 },
  {
    ...{ key: 'speed', header: t('speed'), width: 110, align: 'end' },
    cell: ({ speed }) => (speed === 0 ? t('noLimit') : <Num value={speed} />),
  },
  { key: 'fallback', header: t('fallback'), cell: ({ fallback }) => t(fallback ? 'yes' : 'no'), width: 110 },
  { key: 'changed', header: t('changed'), cell: ({ stamp }) => <Time at={stamp.modification} />, width: 130 },
]

/** The agents that rich messages are sent with. */
export function Profiles() {
  const t = useText(rcsTexts)
  const navigate = route.useNavigate()
  const mayWrite = useMay('admin')
  const read = useQuery({
    queryKey: ['rcsProfiles'],
    queryFn: ({ signal }) => data(api.GET('/channel/rcs/profiles', { signal })),
  })
  const rows = useArrayRows<Row>(read)
  useCreateKey(() => void navigate({ to: '/settings/rcs/$id', params: { id: 'new' } }), mayWrite)
  const create = mayWrite && (
    <Button renderRoot={(props) => <Link to="/settings/rcs/$id" params={{ id: 'new' }} {...props} />}>
      {t('newProfile')}
    </Button>
  )
  return (
    <SettingsPage action={rows.total > 0 && create}>
      <DataTable
        name="rcsProfiles"
        label={t('profiles')}
        rows={rows}
        columns={useMemo(() => columnsOf(t), [t])}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => pathOf.rcsProfile(id)}
        empty={
          <Empty title={t('empty')} action={create}>
            {t('emptyWhy')}
          </Empty>
        }
      />
    </SettingsPage>
  )
}
