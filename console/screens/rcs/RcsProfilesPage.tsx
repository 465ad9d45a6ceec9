import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { apiClient } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { hasHeadAction, useArrayTableRows } from '../../components/table/rows.ts'
import { useCreateShortcut } from '../../layout/dialogs/keys.tsx'
import { objectPaths } from '../../paths.ts'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import type en from './en.ts'
import { rcsProfileTexts } from './texts.ts'

const route = getRouteApi('/settings/rcs')

type ListedProfile = ApiAnswer<'listRcsProfiles'>[number]
type ProfileRow = Omit<ListedProfile, 'provider'> & { provider: { type: ListedProfile['provider']['type'] } }

const createColumns = (t: Translator<typeof en>): TableColumn<ProfileRow>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 180, grow: 3 },
  {
    key: 'state',
    header: t('state'),
    width: 110,
    cell: ({ active }) => (
      <StateBadge tone={active ? 'good' : 'neutral'}>{t(active ? 'active' : 'inactive')}</StateBadge>
    ),
  },
  { key: 'agent', header: t('agent'), cell: ({ agent }) => <bdi>{agent}</bdi>, width: 160, grow: 2 },
  { key: 'kind', header: t('kind'), cell: ({ provider }) => t(provider.type), width: 170 },
  { key: 'country', header: t('country'), cell: ({ country }) => country, width: 90 },
  {
    key: 'speed',
    header: t('speed'),
    width: 110,
    align: 'end',
    cell: ({ speed }) => (speed === 0 ? t('noLimit') : <FormattedNumber value={speed} />),
  },
  { key: 'fallback', header: t('fallback'), cell: ({ fallback }) => t(fallback ? 'yes' : 'no'), width: 110 },
  { key: 'changed', header: t('changed'), cell: ({ stamp }) => <FormattedTime at={stamp.modification} />, width: 130 },
]

/** The agents that rich messages are sent with. */
export function RcsProfilesPage() {
  const t = useTranslator(rcsProfileTexts)
  const navigate = route.useNavigate()
  const canWrite = useHasRight('admin')
  const profilesQuery = useQuery({
    queryKey: ['rcsProfiles'],
    queryFn: ({ signal }) => apiClient.listRcsProfiles({ signal }),
  })
  const rows = useArrayTableRows<ProfileRow>(profilesQuery)
  useCreateShortcut(() => void navigate({ to: '/settings/rcs/$id', params: { id: 'new' } }), canWrite)
  const newProfileButton = canWrite && (
    <Button renderRoot={(props) => <Link to="/settings/rcs/$id" params={{ id: 'new' }} {...props} />}>
      {t('newProfile')}
    </Button>
  )
  return (
    <SettingsPage action={hasHeadAction(rows) && newProfileButton}>
      <DataTable
        name="rcsProfiles"
        cards={{ state: 'state', figures: ['country', 'speed'] }}
        label={t('profiles')}
        rows={rows}
        columns={useMemo(() => createColumns(t), [t])}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => objectPaths.rcsProfile(id)}
        empty={
          <EmptyState title={t('empty')} action={newProfileButton}>
            {t('emptyWhy')}
          </EmptyState>
        }
      />
    </SettingsPage>
  )
}
