import { ApiRefusal, apiClient, readAnswer } from '../../api/client.ts'
import type { RowSelectionState } from '../../components/table/selection.ts'
import type { ListedApiContact } from './contact-columns.tsx'
import { buildContactRowsQuery, type ContactRowsQuery } from './use-contact-rows.ts'

const PAGE = 1000

/** A selection as the interface takes it: decided there, at the beginning of what is done. */
export function buildSelectionBody({ isAll, keys }: RowSelectionState, looked: ContactRowsQuery) {
  if (!isAll) return { type: 'id' as const, value: [...keys] }
  const { criteria, query } = buildContactRowsQuery(looked)
  return { type: 'search' as const, value: { criteria: criteria ?? { all: [] }, query, except: [...keys] } }
}

/** What runs over a selection: how many are done. */
export type SelectionProgress = (done: number) => void

/** Requests of single contacts at once. */
const AT_ONCE = 8

/** All that match but those that were taken out, page by page. */
async function* allMatching(
  selection: RowSelectionState,
  looked: ContactRowsQuery,
  fields: number[] | null,
): AsyncGenerator<ListedApiContact[]> {
  let after: string | null = null
  do {
    const body = {
      ...buildContactRowsQuery(looked),
      sort: { by: 'id', order: 'asc' as const },
      fields,
      limit: PAGE,
      after,
    }
    const page: { items: ListedApiContact[]; next: string | null } = await readAnswer(
      apiClient.POST('/targets/search', { body }),
    )
    yield page.items.filter(({ id }) => !selection.keys.has(id))
    after = page.next
  } while (after !== null)
}

/** Chosen contacts with every field, page by page; those that are gone meanwhile are passed over. */
export async function* readSelectedContacts(
  selection: RowSelectionState,
  looked: ContactRowsQuery,
): AsyncGenerator<ListedApiContact[]> {
  if (selection.isAll) return yield* allMatching(selection, looked, null)
  const ids = [...selection.keys]
  const read = (id: string) =>
    readAnswer(apiClient.GET('/targets/{id}', { params: { path: { id } } })).catch((error: unknown) => {
      if (error instanceof ApiRefusal && error.status === 404) return undefined
      throw error
    })
  for (let first = 0; first < ids.length; first += AT_ONCE) {
    const some = await Promise.all(ids.slice(first, first + AT_ONCE).map(read))
    yield some.filter((contact) => contact !== undefined) as ListedApiContact[]
  }
}

/** The ids of a selection, page by page. */
async function* selectedIds(selection: RowSelectionState, looked: ContactRowsQuery): AsyncGenerator<string[]> {
  if (!selection.isAll) {
    const ids = [...selection.keys]
    for (let first = 0; first < ids.length; first += PAGE) yield ids.slice(first, first + PAGE)
    return
  }
  for await (const page of allMatching(selection, looked, [])) yield page.map(({ id }) => id)
}

/**
 * Does something with each page of a selection. All pages are known before the first is changed: what is done may change what matches.
 */
export async function processSelectedContacts(
  selection: RowSelectionState,
  looked: ContactRowsQuery,
  work: (ids: string[]) => Promise<unknown>,
  progress: SelectionProgress,
): Promise<number> {
  const pages: string[][] = []
  for await (const page of selectedIds(selection, looked)) if (page.length > 0) pages.push(page)
  let done = 0
  for (const page of pages) {
    await work(page)
    done += page.length
    progress(done)
  }
  return done
}
