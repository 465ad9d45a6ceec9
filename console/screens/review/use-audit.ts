import { useInfiniteQuery } from '@tanstack/react-query'
import { apiClient, readPagedAnswer } from '../../api/client.ts'
import { saveFile } from '../../api/download.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { type AsyncAction, useAsyncAction } from '../../components/use-act.ts'
import { findDayStart, nextCalendarDay } from '../../text/days.ts'
import { useLocaleFormat } from '../../text/format.ts'
import type { AuditSearch } from './address.ts'

const PAGE_SIZE = 100

type StoredEntry = ApiAnswer<'listAuditEntries'>[number]
/** An entry with its changes as pairs, whichever way the types name them. */
export type ApiAuditEntry = Omit<StoredEntry, 'changes'> & { changes: Record<string, readonly unknown[]> }

/** The period as the interface reads it: whole days of the account's zone. */
function buildAuditQuery({ start, end, ...others }: AuditSearch, zone: string) {
  return {
    ...others,
    ...(start !== undefined && { start: findDayStart(start, zone) }),
    ...(end !== undefined && { end: findDayStart(nextCalendarDay(end), zone) }),
  }
}

/** The entries that a search narrows the audit to, newest first, page by page. */
export function useAuditEntries(search: AuditSearch) {
  const { zone } = useLocaleFormat()
  return useInfiniteQuery({
    queryKey: ['audit', search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) => {
      const query = { ...buildAuditQuery(search, zone), limit: PAGE_SIZE, ...(after && { after }) }
      return readPagedAnswer(apiClient.listAuditEntries, { query, signal })
    },
    getNextPageParam: ({ next }) => next,
  })
}

/** Leaves all entries of a search as a file with the person, a line each. */
export function useAuditDownload(search: AuditSearch): AsyncAction {
  const { zone } = useLocaleFormat()
  return useAsyncAction(async () => {
    const headers = { accept: 'application/x-ndjson' }
    const entries = await apiClient.listAuditEntries({ query: buildAuditQuery(search, zone), headers, parseAs: 'blob' })
    saveFile(entries as unknown as Blob, 'audit.ndjson')
  })
}
