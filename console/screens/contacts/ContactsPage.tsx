import { Button, Select } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useContactFields, useSegments } from '../../api/definitions.ts'
import { useCurrentUser, useHasRight } from '../../api/me.ts'
import { countLeavesWithin } from '../../components/criteria/model.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { formatTableSort, parseTableSort } from '../../components/table/rows.ts'
import { useRowSelection } from '../../components/table/selection.ts'
import { useShortcut } from '../../layout/dialogs/keys.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { AddContactDialog } from './AddContactDialog.tsx'
import type { ContactsSearch } from './address.ts'
import { ContactFilter } from './ContactFilter.tsx'
import {
  buildContactColumns,
  type ContactListField,
  formatContactName,
  type ListedApiContact,
  maskContactColumns,
} from './contact-columns.tsx'
import { SelectionActions } from './SelectionActions.tsx'
import { contactTexts } from './texts.ts'
import { useContactRows } from './use-contact-rows.ts'

const route = getRouteApi('/contacts')
const getContactKey = ({ id }: ListedApiContact): string => id
const buildContactLink = ({ id }: ListedApiContact): string => `/contacts/${id}`

/** Changes a part of the address; what is empty leaves it. */
function useSearchChange(): (change: Partial<ContactsSearch>) => void {
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
  const t = useTranslator(contactTexts)
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
      onChange={(chosenSegment) => onChange(chosenSegment === null ? undefined : Number(chosenSegment))}
    />
  )
}

interface ContactFiltersProps {
  search: ContactsSearch
  set(change: Partial<ContactsSearch>): void
  isOpen: boolean
  onOpen(isOpen: boolean): void
}

function ContactFilters({ search, set: changeSearch, isOpen, onOpen }: ContactFiltersProps) {
  const t = useTranslator(contactTexts)
  const onQuery = useCallback((q: string) => changeSearch({ q: q === '' ? undefined : q }), [changeSearch])
  const count = search.filter === undefined ? 0 : countLeavesWithin(search.filter)
  return (
    <>
      <SearchField label={t('search')} value={search.q ?? ''} onChange={onQuery} />
      <SegmentFilter value={search.segment} onChange={(segment) => changeSearch({ segment })} />
      <Button
        size="xs"
        variant={count > 0 ? 'light' : 'default'}
        leftSection={<IconFilter size={15} aria-hidden />}
        aria-expanded={isOpen}
        onClick={() => onOpen(!isOpen)}
      >
        {count > 0 ? t('filtered', { count }) : t('filter')}
      </Button>
      {isOpen && <ContactFilter filter={search.filter} onChange={(filter) => changeSearch({ filter })} />}
    </>
  )
}

function ImportButton() {
  const t = useTranslator(contactTexts)
  return (
    <Button variant="default" renderRoot={(props) => <Link to="/imports/new" {...props} />}>
      {t('importContacts')}
    </Button>
  )
}

function NoContacts({ isFiltered, onReset }: { isFiltered: boolean; onReset(): void }) {
  const t = useTranslator(contactTexts)
  const canWrite = useHasRight('write')
  if (!isFiltered)
    return (
      <EmptyState title={t('empty')} {...(canWrite && { action: <ImportButton /> })}>
        {t('emptyWhy')}
      </EmptyState>
    )
  const resetButton = (
    <Button variant="default" onClick={onReset}>
      {t('reset')}
    </Button>
  )
  return (
    <EmptyState title={t('noMatch')} action={resetButton}>
      {t('noMatchWhy')}
    </EmptyState>
  )
}

function ContactTable({ fields }: { fields: readonly ContactListField[] }) {
  const t = useTranslator(contactTexts)
  const format = useLocaleFormat()
  const search = route.useSearch()
  const changeSearch = useSearchChange()
  const [isOpen, setOpen] = useState(search.filter !== undefined)
  const tableSort = parseTableSort(search.sort, { by: 'creationDate', descending: true })
  const rows = useContactRows(search, tableSort)
  const selection = useRowSelection({ selected: search.selected, onSelected: (selected) => changeSearch({ selected }) })
  const { masked } = useCurrentUser()
  const columns = useMemo(() => {
    const allColumns = buildContactColumns(fields, t, format)
    return masked ? maskContactColumns(allColumns, fields) : allColumns
  }, [fields, t, format, masked])
  const isFiltered = search.q !== undefined || search.segment !== undefined || search.filter !== undefined
  return (
    <DataTable
      name="contacts"
      label={t('label')}
      rows={rows}
      columns={columns}
      keyOf={getContactKey}
      linkOf={buildContactLink}
      nameOf={(contact) => formatContactName(contact, fields)}
      addressed={{ keys: search.columns?.split(','), onKeys: (keys) => changeSearch({ columns: keys.join(',') }) }}
      sort={tableSort}
      onSort={(next) => changeSearch({ sort: formatTableSort(next) })}
      selection={selection}
      actions={<SelectionActions selection={selection} rows={rows} looked={search} />}
      tools={<ContactFilters search={search} set={changeSearch} isOpen={isOpen} onOpen={setOpen} />}
      isFiltered={isFiltered}
      empty={
        <NoContacts
          isFiltered={isFiltered}
          onReset={() => {
            setOpen(false)
            changeSearch({ q: undefined, segment: undefined, filter: undefined })
          }}
        />
      }
    />
  )
}

/** Every contact of the account: searched, filtered, sorted, chosen. */
export function ContactsPage() {
  const t = useTranslator(contactTexts)
  const fieldsQuery = useContactFields()
  const canWrite = useHasRight('write')
  const [isAdding, setAdding] = useState(false)
  useShortcut('c', t('addContact'), () => setAdding(true), canWrite)
  const headButtons = canWrite && (
    <>
      <ImportButton />
      <Button onClick={() => setAdding(true)}>{t('addContact')}</Button>
    </>
  )
  return (
    <ScreenPage title={t('title')} action={headButtons}>
      {fieldsQuery.error && <ProblemAlert error={fieldsQuery.error} onRetry={() => void fieldsQuery.refetch()} />}
      {fieldsQuery.isPending && <LoadingSkeleton />}
      {fieldsQuery.data && <ContactTable fields={fieldsQuery.data} />}
      {isAdding && fieldsQuery.data && <AddContactDialog fields={fieldsQuery.data} onClose={() => setAdding(false)} />}
    </ScreenPage>
  )
}
