import { ApiRefusal, apiClient } from '../../api/client.ts'
import type { TableRows } from '../../components/table/rows.ts'
import type { RowSelectionState } from '../../components/table/selection.ts'
import type { ListedApiContact } from './contact-columns.tsx'
import { buildContactRowsQuery, type ContactRowsQuery } from './use-contact-rows.ts'

export interface ContactSelectionProps {
  selection: RowSelectionState
  rows: TableRows<ListedApiContact> & { reload(): void }
  looked: ContactRowsQuery
}

/** A dialog about a selection. */
export interface SelectionDialogProps extends ContactSelectionProps {
  onClose(): void
}

const PAGE_SIZE = 1000

/** A selection as the interface takes it: decided there, at the beginning of what is done. */
export function buildSelectionBody({ isAll, keys }: RowSelectionState, rowsQuery: ContactRowsQuery) {
  if (!isAll) return { type: 'id' as const, value: [...keys] }
  const { criteria, query } = buildContactRowsQuery(rowsQuery)
  return { type: 'search' as const, value: { criteria: criteria ?? { all: [] }, query, except: [...keys] } }
}

/** Receives the number of contacts processed in a selection. */
export type SelectionProgress = (doneCount: number) => void

/** Requests of single contacts at once. */
const MAX_PARALLEL_REQUESTS = 8

/** All that match but those that were taken out, page by page. */
async function* readMatchingContacts(
  selection: RowSelectionState,
  rowsQuery: ContactRowsQuery,
  fields: number[] | null,
): AsyncGenerator<ListedApiContact[]> {
  let nextCursor: string | null = null
  do {
    const body = {
      ...buildContactRowsQuery(rowsQuery),
      sort: { by: 'id', order: 'asc' as const },
      fields,
      limit: PAGE_SIZE,
      after: nextCursor,
    }
    const page: { items: ListedApiContact[]; next: string | null } = await apiClient.searchTargets({ body })
    yield page.items.filter(({ id }) => !selection.keys.has(id))
    nextCursor = page.next
  } while (nextCursor !== null)
}

/** Chosen contacts with every field, page by page; those that are gone meanwhile are passed over. */
export async function* readSelectedContacts(
  selection: RowSelectionState,
  rowsQuery: ContactRowsQuery,
): AsyncGenerator<ListedApiContact[]> {
  if (selection.isAll) return yield* readMatchingContacts(selection, rowsQuery, null)
  const selectedKeys = [...selection.keys]
  const readContact = (id: string) =>
    apiClient.getTarget({ path: { id } }).catch((error: unknown) => {
      if (error instanceof ApiRefusal && error.status === 404) return undefined
      throw error
    })
  for (let startIndex = 0; startIndex < selectedKeys.length; startIndex += MAX_PARALLEL_REQUESTS) {
    const contactBatch = await Promise.all(
      selectedKeys.slice(startIndex, startIndex + MAX_PARALLEL_REQUESTS).map(readContact),
    )
    yield contactBatch.filter((contact) => contact !== undefined) as ListedApiContact[]
  }
}

/** The ids of a selection, page by page. */
async function* readSelectedIds(selection: RowSelectionState, rowsQuery: ContactRowsQuery): AsyncGenerator<string[]> {
  if (!selection.isAll) {
    const selectedKeys = [...selection.keys]
    for (let startIndex = 0; startIndex < selectedKeys.length; startIndex += PAGE_SIZE)
      yield selectedKeys.slice(startIndex, startIndex + PAGE_SIZE)
    return
  }
  for await (const page of readMatchingContacts(selection, rowsQuery, [])) yield page.map(({ id }) => id)
}

/**
 * Does something with each page of a selection. All pages are known before the first is changed: what is done may change what matches.
 */
export async function processSelectedContacts(
  selection: RowSelectionState,
  rowsQuery: ContactRowsQuery,
  work: (selectedKeys: string[]) => Promise<unknown>,
  progress: SelectionProgress,
): Promise<number> {
  const idPages: string[][] = []
  for await (const page of readSelectedIds(selection, rowsQuery)) if (page.length > 0) idPages.push(page)
  let doneCount = 0
  for (const page of idPages) {
    await work(page)
    doneCount += page.length
    progress(doneCount)
  }
  return doneCount
}
