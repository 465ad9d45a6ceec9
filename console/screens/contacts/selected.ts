import { api, data } from '../../api/client.ts'
import type { Selecting } from '../../parts/table/selection.ts'
import { askedOf, type Looked } from './use-contact-rows.ts'

const PAGE = 1000

/** What runs over a selection: how many are done. */
export type Progress = (done: number) => void

/** The ids of a selection, page by page: the chosen ones, or all that match but those that were taken out. */
async function* selectedIds(selection: Selecting, looked: Looked): AsyncGenerator<string[]> {
  if (!selection.isAll) {
    const ids = [...selection.keys]
    for (let first = 0; first < ids.length; first += PAGE) yield ids.slice(first, first + PAGE)
    return
  }
  let after: string | null = null
  do {
    const body = { ...askedOf(looked), sort: { by: 'id', order: 'asc' as const }, fields: [], limit: PAGE, after }
    const page: { items: { id: string }[]; next: string | null } = await data(api.POST('/targets/search', { body }))
    yield page.items.map(({ id }) => id).filter((id) => !selection.keys.has(id))
    after = page.next
  } while (after !== null)
}

/**
 * Does something with each page of a selection. All pages are known before the first is changed: what is done may change what matches.
 */
export async function overSelected(
  selection: Selecting,
  looked: Looked,
  work: (ids: string[]) => Promise<unknown>,
  progress: Progress,
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
