import { api, data } from '../../api/client.ts'
import type { Sort } from '../../parts/table/rows.ts'
import { type Place, useKeysetRows } from '../../parts/table/use-keyset-rows.ts'
import type { Contact } from './contact-columns.tsx'
import type { ContactSearch } from './routes.ts'

const PAGE = 100

/** Contacts as they are looked for and sorted, read as they are seen. */
export function useContactRows({ q, segment }: ContactSearch, { by, descending }: Sort) {
  const body = {
    query: q ?? null,
    criteria: segment === undefined ? null : { all: [{ segment }] },
    sort: { by, order: descending ? ('desc' as const) : ('asc' as const) },
    limit: PAGE,
  }
  return useKeysetRows<Contact>({
    key: JSON.stringify(body),
    keyOf: ({ id }) => id,
    load: (place: Place, signal) => data(api.POST('/targets/search', { body: { ...body, ...place }, signal })),
  })
}
