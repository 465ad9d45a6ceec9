import { apiClient, readAnswer } from '../../api/client.ts'
import type { CriteriaNode } from '../../components/criteria/model.ts'
import type { TableSort } from '../../components/table/rows.ts'
import { type KeysetPosition, useKeysetRows } from '../../components/table/use-keyset-rows.ts'
import type { ListedApiContact } from './contact-columns.tsx'
import type { ContactsSearch } from './routes.ts'

const PAGE = 100

export type ContactRowsQuery = Pick<ContactsSearch, 'q' | 'segment' | 'filter'>

/** Which contacts are looked for, as the interface takes it. */
export function buildContactRowsQuery({ q, segment, filter }: ContactRowsQuery) {
  const parts: CriteriaNode[] = [
    ...(segment === undefined ? [] : [{ type: 'segment', segment }]),
    ...(filter === undefined ? [] : [filter]),
  ]
  return { query: q ?? null, criteria: parts.length === 0 ? null : { all: parts } }
}

/** Contacts as they are looked for and sorted, read as they are seen. */
export function useContactRows(looked: ContactRowsQuery, { by, descending }: TableSort) {
  const order = descending ? ('desc' as const) : ('asc' as const)
  const body = { ...buildContactRowsQuery(looked), sort: { by, order }, limit: PAGE }
  return useKeysetRows<ListedApiContact>({
    key: JSON.stringify(body),
    keyOf: ({ id }) => id,
    load: (place: KeysetPosition, signal) =>
      readAnswer(apiClient.POST('/targets/search', { body: { ...body, ...place }, signal })),
  })
}
