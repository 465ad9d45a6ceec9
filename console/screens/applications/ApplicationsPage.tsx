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
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { hasHeadAction, useArrayTableRows } from '../../components/table/rows.ts'
import { useCreateShortcut } from '../../layout/dialogs/keys.tsx'
import { layoutTexts } from '../../layout/texts.ts'
import { objectPaths } from '../../paths.ts'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import { type LocaleFormat, useLocaleFormat } from '../../text/format.ts'
import { type ApiPushProviderType, useDeviceCounts } from './application-kind.ts'
import type en from './en.ts'
import { applicationTexts } from './texts.ts'

const route = getRouteApi('/settings/applications')

type DeviceCount = NonNullable<ReturnType<typeof useDeviceCounts>['data']>[number]
type ListedApplication = ApiAnswer<'listApplications'>[number]
type ApplicationRow = Omit<ListedApplication, 'providers'> & {
  providers: readonly { type: ApiPushProviderType }[]
  devices: DeviceCount | undefined
}

const createColumns = (t: Translator<typeof en>, format: LocaleFormat): TableColumn<ApplicationRow>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 180, grow: 3 },
  {
    key: 'state',
    header: t('state'),
    width: 110,
    cell: ({ active }) => (
      <StateBadge tone={active ? 'good' : 'neutral'}>{t(active ? 'active' : 'inactive')}</StateBadge>
    ),
  },
  {
    key: 'providers',
    header: t('providers'),
    width: 200,
    grow: 2,
    cell: ({ providers }) => format.list(providers.map(({ type }) => t(type))),
  },
  {
    key: 'registration',
    header: t('registration'),
    width: 130,
    cell: ({ registration: { open: isOpenRegistration, proof } }) => {
      if (!isOpenRegistration) return t('byServer')
      if (proof === 'required') return t('signed')
      return (
        <StateBadge tone="warning" hint={t('proofNoneWhy')}>
          {t('notChecked')}
        </StateBadge>
      )
    },
  },
  {
    key: 'devices',
    header: t('devices'),
    width: 100,
    align: 'end',
    cell: ({ devices }) => <FormattedNumber value={devices?.subscriptions ?? 0} />,
  },
  {
    key: 'live',
    header: t('live'),
    width: 100,
    align: 'end',
    cell: ({ devices }) => <FormattedNumber value={devices?.live ?? 0} />,
  },
  {
    key: 'latest',
    header: t('latest'),
    width: 150,
    cell: ({ devices }) => (devices?.latest ? <FormattedTime at={devices.latest} /> : t('never')),
  },
]

/** Apps and sites that get pushes, with how many devices use them. */
export function ApplicationsPage() {
  const t = useTranslator(applicationTexts)
  const layoutT = useTranslator(layoutTexts)
  const format = useLocaleFormat()
  const navigate = route.useNavigate()
  const canWrite = useHasRight('admin')
  const applicationsQuery = useQuery({
    queryKey: ['applications'],
    queryFn: ({ signal }) => apiClient.listApplications({ signal }),
  })
  const deviceCounts = useDeviceCounts().data
  const applicationRows = useMemo(() => {
    const countsById = new Map(deviceCounts?.map((deviceCount) => [deviceCount.application, deviceCount]))
    return applicationsQuery.data?.map((application) => ({ ...application, devices: countsById.get(application.id) }))
  }, [applicationsQuery.data, deviceCounts])
  const rows = useArrayTableRows<ApplicationRow>({ ...applicationsQuery, data: applicationRows })
  useCreateShortcut(() => void navigate({ to: '/settings/applications/$id', params: { id: 'new' } }), canWrite)
  const newApplicationButton = canWrite && (
    <Button renderRoot={(props) => <Link to="/settings/applications/$id" params={{ id: 'new' }} {...props} />}>
      {t('newApplication')}
    </Button>
  )
  return (
    <ScreenPage
      title={t('applications')}
      parent={{ label: layoutT('developers'), to: '/developers' }}
      action={hasHeadAction(rows) && newApplicationButton}
    >
      <DataTable
        name="applications"
        cards={{ state: 'state', figures: ['devices', 'live'] }}
        label={t('applications')}
        rows={rows}
        columns={useMemo(() => createColumns(t, format), [t, format])}
        keyOf={({ id }) => id}
        linkOf={({ id }) => objectPaths.application(id)}
        empty={
          <EmptyState title={t('empty')} action={newApplicationButton}>
            {t('emptyWhy')}
          </EmptyState>
        }
      />
    </ScreenPage>
  )
}
