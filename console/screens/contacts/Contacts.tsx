import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { api, data } from '../../api/client.ts'
import { Empty } from '../../parts/Empty.tsx'
import { Page } from '../../parts/Page.tsx'
import { Problem } from '../../parts/Problem.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { DataTable } from '../../parts/table/DataTable.tsx'
import { readSort, writeSort } from '../../parts/table/rows.ts'
import { useSelection } from '../../parts/table/selection.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { type Contact, contactColumns, type Field, nameOf } from './contact-columns.tsx'
import type { ContactSearch } from './routes.ts'
import { contactTexts } from './texts.ts'
import { useContactRows } from './use-contact-rows.ts'

const route = getRouteApi('/contacts')
const keyOf = ({ id }: Contact): string => id
const linkOf = ({ id }: Contact): string => `/contacts/${id}`

/** Changes a part of the address; what is empty leaves it. */
function useSetSearch(): (change: Partial<ContactSearch>) => void {
  const navigate = route.useNavigate()
  return useCallback(
    (change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true }),
    [navigate],
  )
}

function SegmentFilter({
  value,
  onChange,
}: {
  value: number | undefined
  onChange(segment: number | undefined): void
}) {
  const t = useText(contactTexts)
  const segments = useQuery({
    queryKey: ['segments'],
    queryFn: ({ signal }) => data(api.GET('/segments', { signal })),
  })
  return (
    <Select
      size="xs"
      w={200}
      clearable
      searchable
      aria-label={t('segment')}
      placeholder={t('segment')}
      data={segments.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
      value={value === undefined ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? undefined : Number(chosen))}
    />
  )
}

function ContactTable({ fields }: { fields: readonly Field[] }) {
  const t = useText(contactTexts)
  const format = useFormat()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const sort = readSort(search.sort, { by: 'creationDate', descending: true })
  const rows = useContactRows(search, sort)
  const selection = useSelection()
  const columns = useMemo(() => contactColumns(fields, t, format), [fields, t, format])
  const onQuery = useCallback((q: string) => setSearch({ q: q === '' ? undefined : q }), [setSearch])
  const isFiltered = search.q !== undefined || search.segment !== undefined
  return (
    <DataTable
      name="contacts"
      label={t('label')}
      rows={rows}
      columns={columns}
      keyOf={keyOf}
      linkOf={linkOf}
      nameOf={(contact) => nameOf(contact, fields)}
      sort={sort}
      onSort={(next) => setSearch({ sort: writeSort(next) })}
      selection={selection}
      tools={
        <>
          <SearchField label={t('search')} value={search.q ?? ''} onChange={onQuery} />
          <SegmentFilter value={search.segment} onChange={(segment) => setSearch({ segment })} />
        </>
      }
      isFiltered={isFiltered}
      empty={
        isFiltered ? (
          <Empty
            title={t('noMatch')}
            action={
              <Button variant="default" onClick={() => setSearch({ q: undefined, segment: undefined })}>
                {t('reset')}
              </Button>
            }
          >
            {t('noMatchWhy')}
          </Empty>
        ) : (
          <Empty title={t('empty')}>{t('emptyWhy')}</Empty>
        )
      }
    />
  )
}

/** Every contact of the account: searched, filtered, sorted, chosen. */
export function Contacts() {
  const t = useText(contactTexts)
  const fields = useQuery({ queryKey: ['fields'], queryFn: ({ signal }) => data(api.GET('/fields', { signal })) })
  return (
    <Page title={t('title')}>
      {fields.error && <Problem error={fields.error} onRetry={() => void fields.refetch()} />}
      {fields.isPending && <Skeleton />}
      {fields.data && <ContactTable fields={fields.data} />}
    </Page>
  )
}
