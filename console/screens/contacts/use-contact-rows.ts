import { apiClient } from '../../api/client.ts'
import { type CriteriaNode, toApiCriteria } from '../../components/criteria/model.ts'
import type { TableSort } from '../../components/table/rows.ts'
import { type KeysetPosition, useKeysetRows } from '../../components/table/use-keyset-rows.ts'
import type { ContactsSearch } from './address.ts'
import type { ListedApiContact } from './contact-columns.tsx'

const PAGE_SIZE = 100

export type ContactRowsQuery = Pick<ContactsSearch, 'q' | 'segment' | 'filter'>

/** Builds the search of the list in the form of the API. */
export function buildContactRowsQuery({ q, segment, filter }: ContactRowsQuery) {
  const parts: CriteriaNode[] = [
    ...(segment === undefined ? [] : [{ type: 'segment', segment }]),
    ...(filter === undefined ? [] : [filter]),
  ]
  return { query: q ?? null, criteria: parts.length === 0 ? null : toApiCriteria({ all: parts }) }
}

/** Contacts as they are looked for and sorted, read as they are seen. */
export function useContactRows(rowsQuery: ContactRowsQuery, { by, descending }: TableSort) {
  const sortOrder = descending ? ('desc' as const) : ('asc' as const)
  const body = { ...buildContactRowsQuery(rowsQuery), sort: { by, order: sortOrder }, limit: PAGE_SIZE }
  return useKeysetRows<ListedApiContact>({
    key: JSON.stringify(body),
    keyOf: ({ id }) => id,
    load: (place: KeysetPosition, signal) => apiClient.searchTargets({ body: { ...body, ...place }, signal }),
  })
}
