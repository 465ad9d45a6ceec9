import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, data } from '../../../api/client.ts'
import { useMay } from '../../../api/me.ts'
import { Badge } from '../../../components/Badge.tsx'
import { Empty } from '../../../components/layout/Empty.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { SearchField } from '../../../components/SearchField.tsx'
import { Time } from '../../../components/Time.tsx'
import type { Column } from '../../../components/table/columns.tsx'
import { DataTable } from '../../../components/table/DataTable.tsx'
import { useArrayRows } from '../../../components/table/rows.ts'
import { useCreateKey } from '../../../layout/dialogs/keys.tsx'
import { pathOf } from '../../../paths.ts'
import { type Text, useText } from '../../../text/catalogue.ts'
import type en from '../en.ts'
import { scriptTexts } from '../texts.ts'
import type { Webtask } from './webtask-kind.ts'

const route = getRouteApi('/webtasks')

const columnsOf = (t: Text<typeof en>): Column<Webtask>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 200, grow: 3 },
  {
    ...{ key: 'capabilities', header: t('capabilities'), width: 220, grow: 2 },
    cell: ({ scripting }) => (scripting.environment.capabilities ?? []).join(', ') || t('nothing'),
  },
  {
    ...{ key: 'public', header: t('public'), width: 130 },
    cell: ({ settings }) => (settings.public.enabled ? <Badge tone="warning">{t('isPublic')}</Badge> : t('keyOnly')),
  },
  { key: 'changed', header: t('changed'), cell: ({ updateDate }) => <Time at={updateDate} />, width: 140 },
]

/** Every webtask of the account. */
export function Webtasks() {
  const t = useText(scriptTexts)
  const navigate = route.useNavigate()
  const mayWrite = useMay('write')
  const { q = '' } = route.useSearch()
  const read = useQuery({
    queryKey: ['webtasks'],
    queryFn: async ({ signal }) => (await data(api.GET('/scripting/webtasks', { signal }))) as Webtask[],
  })
  const found = useMemo(
    () => read.data?.filter(({ name, id }) => `${name} ${id}`.toLocaleLowerCase().includes(q.toLocaleLowerCase())),
    [read.data, q],
  )
  const rows = useArrayRows<Webtask>({ ...read, data: found })
  useCreateKey(() => void navigate({ to: '/webtasks/$id', params: { id: 'new' } }), mayWrite)
  const create = mayWrite && (
    <Button renderRoot={(props) => <Link to="/webtasks/$id" params={{ id: 'new' }} {...props} />}>
      {t('newWebtask')}
    </Button>
  )
  return (
    <Page title={t('webtasks')} action={create}>
      <DataTable
        name="webtasks"
        label={t('webtasks')}
        rows={rows}
        columns={useMemo(() => columnsOf(t), [t])}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => pathOf.webtask(id)}
        isFiltered={q !== ''}
        tools={
          <SearchField
            label={t('search')}
            value={q}
            onChange={(next) => void navigate({ search: { q: next || undefined }, replace: true })}
          />
        }
        empty={q === '' ? <Empty title={t('noWebtasks')}>{t('noWebtasksWhy')}</Empty> : <Empty title={t('noMatch')} />}
      />
    </Page>
  )
}
