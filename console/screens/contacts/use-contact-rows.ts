import { api, data } from '../../api/client.ts'
import type { Node } from '../../components/criteria/model.ts'
import type { Sort } from '../../components/table/rows.ts'
import { type Place, useKeysetRows } from '../../components/table/use-keyset-rows.ts'
import type { Contact } from './contact-columns.tsx'
import type { ContactSearch } from './routes.ts'

const PAGE = 100

export type Looked = Pick<ContactSearch, 'q' | 'segment' | 'filter'>

/** Which contacts are looked for, as the interface takes it. */
export function askedOf({ q, segment, filter }: Looked) {
  const parts: Node[] = [
    ...(segment === undefined ? [] : [{ type: 'segment', segment }]),
    ...(filter === undefined ? [] : [filter]),
  ]
  return { query: q ?? null, criteria: parts.length === 0 ? null : { all: parts } }
}

/** Contacts as they are looked for and sorted, read as they are seen. */
export function useContactRows(looked: Looked, { by, descending }: Sort) {
  const order = descending ? ('desc' as const) : ('asc' as const)
  const body = { ...askedOf(looked), sort: { by, order }, limit: PAGE }
  return useKeysetRows<Contact>({
    key: JSON.stringify(body),
    keyOf: ({ id }) => id,
    load: (place: Place, signal) => data(api.POST('/targets/search', { body: { ...body, ...place }, signal })),
  })
}
