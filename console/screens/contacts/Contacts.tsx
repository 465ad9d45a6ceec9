import { Button, Select } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useFields, useSegments } from '../../api/definitions.ts'
import { useMe } from '../../api/me.ts'
import { leavesOf } from '../../components/criteria/model.ts'
import { Empty } from '../../components/layout/Empty.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { readSort, writeSort } from '../../components/table/rows.ts'
import { useSelection } from '../../components/table/selection.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { type Contact, contactColumns, type Field, maskedColumns, nameOf } from './contact-columns.tsx'
import { Filter } from './Filter.tsx'
import type { ContactSearch } from './routes.ts'
import { SelectionActions } from './SelectionActions.tsx'
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
  const segments = useSegments()
  return (
    <Select
      size="xs"
      w={200}
      clearable
      searchable
      limit={200}
      aria-label={t('segment')}
      placeholder={t('segment')}
      data={segments.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
      value={value === undefined ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? undefined : Number(chosen))}
    />
  )
}

interface ToolsProps {
  search: ContactSearch
  set(change: Partial<ContactSearch>): void
  isOpen: boolean
  onOpen(isOpen: boolean): void
}

function Tools({ search, set, isOpen, onOpen }: ToolsProps) {
  const t = useText(contactTexts)
  const onQuery = useCallback((q: string) => set({ q: q === '' ? undefined : q }), [set])
  const count = search.filter === undefined ? 0 : leavesOf(search.filter)
  return (
    <>
      <SearchField label={t('search')} value={search.q ?? ''} onChange={onQuery} />
      <SegmentFilter value={search.segment} onChange={(segment) => set({ segment })} />
      <Button
        size="xs"
        variant={count > 0 ? 'light' : 'default'}
        leftSection={<IconFilter size={15} aria-hidden />}
        aria-expanded={isOpen}
        onClick={() => onOpen(!isOpen)}
      >
        {count > 0 ? t('filtered', { count }) : t('filter')}
      </Button>
    </>
  )
}

function Nothing({ isFiltered, onReset }: { isFiltered: boolean; onReset(): void }) {
  const t = useText(contactTexts)
  if (!isFiltered) return <Empty title={t('empty')}>{t('emptyWhy')}</Empty>
  const reset = (
    <Button variant="default" onClick={onReset}>
      {t('reset')}
    </Button>
  )
  return (
    <Empty title={t('noMatch')} action={reset}>
      {t('noMatchWhy')}
    </Empty>
  )
}

function ContactTable({ fields }: { fields: readonly Field[] }) {
  const t = useText(contactTexts)
  const format = useFormat()
  const search = route.useSearch()
  const set = useSetSearch()
  const [isOpen, setOpen] = useState(search.filter !== undefined)
  const sort = readSort(search.sort, { by: 'creationDate', descending: true })
  const rows = useContactRows(search, sort)
  const selection = useSelection({ selected: search.selected, onSelected: (selected) => set({ selected }) })
  const { masked } = useMe()
  const columns = useMemo(() => {
    const all = contactColumns(fields, t, format)
    return masked ? maskedColumns(all, fields) : all
  }, [fields, t, format, masked])
  const isFiltered = search.q !== undefined || search.segment !== undefined || search.filter !== undefined
  return (
    <>
      {isOpen && <Filter filter={search.filter} onChange={(filter) => set({ filter })} />}
      <DataTable
        name="contacts"
        label={t('label')}
        rows={rows}
        columns={columns}
        keyOf={keyOf}
        linkOf={linkOf}
        nameOf={(contact) => nameOf(contact, fields)}
        addressed={{ keys: search.columns?.split(','), onKeys: (keys) => set({ columns: keys.join(',') }) }}
        sort={sort}
        onSort={(next) => set({ sort: writeSort(next) })}
        selection={selection}
        actions={<SelectionActions selection={selection} rows={rows} looked={search} />}
        tools={<Tools search={search} set={set} isOpen={isOpen} onOpen={setOpen} />}
        isFiltered={isFiltered}
        empty={
          <Nothing
            isFiltered={isFiltered}
            onReset={() => {
              setOpen(false)
              set({ q: undefined, segment: undefined, filter: undefined })
            }}
          />
        }
      />
    </>
  )
}

/** Every contact of the account: searched, filtered, sorted, chosen. */
export function Contacts() {
  const t = useText(contactTexts)
  const fields = useFields()
  return (
    <Page title={t('title')}>
      {fields.error && <Problem error={fields.error} onRetry={() => void fields.refetch()} />}
      {fields.isPending && <Skeleton />}
      {fields.data && <ContactTable fields={fields.data} />}
    </Page>
  )
}
