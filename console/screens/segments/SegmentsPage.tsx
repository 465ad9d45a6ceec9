import { Button, Group, SegmentedControl } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { isSegmentEndless, type ListedApiSegment, useSegments } from '../../api/definitions.ts'
import { useHasRight } from '../../api/me.ts'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { formatTableSort, parseTableSort, type TableSort, useArrayTableRows } from '../../components/table/rows.ts'
import { useShortcut } from '../../layout/dialogs/keys.tsx'
import { objectPaths } from '../../paths.ts'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import type { SegmentsSearch } from './address.ts'
import type en from './en.ts'
import { SegmentCount } from './SegmentCount.tsx'
import { segmentTexts } from './texts.ts'

const route = getRouteApi('/segments')

function ExpiryCell({ at, t }: { at: string; t: Translator<typeof en> }) {
  if (isSegmentEndless(at)) return <>{t('never')}</>
  if (new Date(at).getTime() < Date.now())
    return (
      <StateBadge tone="warning" hint={t('expiredHint')}>
        {t('expired')}
      </StateBadge>
    )
  return <FormattedTime at={at} as="date" />
}

const createColumns = (t: Translator<typeof en>): TableColumn<ListedApiSegment>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 220, grow: 3, sort: 'name' },
  {
    key: 'type',
    header: t('type'),
    cell: ({ type, isTest }) => `${t(type)}${isTest ? ` · ${t('test')}` : ''}`,
    width: 130,
    sort: 'type',
  },
  {
    key: 'count',
    header: t('contacts'),
    cell: (segment) => <SegmentCount segment={segment} />,
    width: 110,
    align: 'end',
    sort: 'targetsCount',
  },
  {
    key: 'counted',
    header: t('countedAt'),
    cell: ({ targetsCountDate, type }) =>
      type === 'static' ? t('always') : targetsCountDate && <FormattedTime at={targetsCountDate} />,
    width: 130,
    isExtra: true,
  },
  {
    key: 'expiration',
    header: t('expiration'),
    cell: ({ expiration }) => <ExpiryCell at={expiration} t={t} />,
    width: 130,
    sort: 'expiration',
  },
  {
    key: 'creation',
    header: t('creation'),
    cell: ({ creation }) => <FormattedTime at={creation} as="date" />,
    width: 120,
    sort: 'creation',
  },
]

function createComparer({ by, descending }: TableSort): (a: ListedApiSegment, b: ListedApiSegment) => number {
  const sortSign = descending ? -1 : 1
  return (a, b) => {
    const [leftKey, rightKey] = [a[by as keyof ListedApiSegment], b[by as keyof ListedApiSegment]]
    if (typeof leftKey === 'number' && typeof rightKey === 'number') return sortSign * (leftKey - rightKey)
    return sortSign * String(leftKey).localeCompare(String(rightKey))
  }
}

function NewButtons() {
  const t = useTranslator(segmentTexts)
  const navigate = route.useNavigate()
  useShortcut('c', t('create'), () => void navigate({ to: '/segments/new', search: { type: 'dynamic' } }))
  return (
    <Group gap={8}>
      <Button
        variant="default"
        renderRoot={(props) => <Link to="/segments/new" search={{ type: 'static' }} {...props} />}
      >
        {t('newStatic')}
      </Button>
      <Button renderRoot={(props) => <Link to="/segments/new" search={{ type: 'dynamic' }} {...props} />}>
        {t('create')}
      </Button>
    </Group>
  )
}

/** Search text and type filter of the list. */
function useSearchState(): { search: SegmentsSearch; set(change: Partial<SegmentsSearch>): void } {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return {
    search,
    set: (change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true }),
  }
}

/** Every segment of the account. */
export function SegmentsPage() {
  const t = useTranslator(segmentTexts)
  const canWrite = useHasRight('write')
  const { search, set: changeSearch } = useSearchState()
  const { q = '', type } = search
  const segmentsQuery = useSegments()
  const tableSort = parseTableSort(search.sort, { by: 'creation', descending: true })
  const matchingSegments = useMemo(
    () =>
      segmentsQuery.data?.filter(
        (segment) =>
          (type === undefined || segment.type === type) &&
          `${segment.name} ${segment.id}`.toLocaleLowerCase().includes(q.toLocaleLowerCase()),
      ),
    [segmentsQuery.data, q, type],
  )
  const compareSegments = useMemo(
    () => createComparer({ by: tableSort.by, descending: tableSort.descending }),
    [tableSort.by, tableSort.descending],
  )
  const rows = useArrayTableRows({ ...segmentsQuery, data: matchingSegments }, compareSegments)
  const isFiltered = q !== '' || type !== undefined
  const isEmpty = segmentsQuery.data?.length === 0
  return (
    <ScreenPage title={t('title')} {...(canWrite && !isEmpty && { action: <NewButtons /> })}>
      <DataTable
        name="segments"
        label={t('title')}
        rows={rows}
        columns={useMemo(() => createColumns(t), [t])}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => objectPaths.segment(id)}
        sort={tableSort}
        onSort={(next) => changeSearch({ sort: formatTableSort(next) })}
        isFiltered={isFiltered}
        tools={
          <>
            <SearchField label={t('search')} value={q} onChange={(next) => changeSearch({ q: next || undefined })} />
            <SegmentedControl
              size="xs"
              aria-label={t('type')}
              data={[
                { value: 'all', label: t('all') },
                { value: 'dynamic', label: t('dynamic') },
                { value: 'static', label: t('static') },
              ]}
              value={type ?? 'all'}
              onChange={(next) => changeSearch({ type: next === 'all' ? undefined : (next as 'static' | 'dynamic') })}
            />
          </>
        }
        empty={
          isFiltered ? (
            <EmptyState title={t('noMatch')} />
          ) : (
            <EmptyState title={t('empty')} {...(canWrite && { action: <NewButtons /> })}>
              {t('emptyWhy')}
            </EmptyState>
          )
        }
      />
    </ScreenPage>
  )
}
