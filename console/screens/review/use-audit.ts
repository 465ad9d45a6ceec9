import { useInfiniteQuery } from '@tanstack/react-query'
import { api, data, paged } from '../../api/client.ts'
import { leaveFile } from '../../api/download.ts'
import type { Answer } from '../../api/shapes.ts'
import { type Act, useAct } from '../../components/use-act.ts'
import { dayAfter, startOfDay } from '../../text/days.ts'
import { useFormat } from '../../text/format.ts'
import type { AuditSearch } from './routes.ts'

const PAGE = 100

type Stored = Answer<'/audit', 'get'>[number]
/** An entry with its changes as pairs, whichever way the types name them. */
export type AuditEntry = Omit<Stored, 'changes'> & { changes: Record<string, readonly unknown[]> }

/** The period as the interface reads it: whole days of the account's zone. */
function queryOf({ start, end, ...others }: AuditSearch, zone: string) {
  return {
    ...others,
    ...(start !== undefined && { start: startOfDay(start, zone) }),
    ...(end !== undefined && { end: startOfDay(dayAfter(end), zone) }),
  }
}

/** The entries that a search narrows the audit to, newest first, page by page. */
export function useAudit(search: AuditSearch) {
  const { zone } = useFormat()
  return useInfiniteQuery({
    queryKey: ['audit', search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) => {
      const query = { ...queryOf(search, zone), limit: PAGE, ...(after && { after }) }
      return paged<AuditEntry>(api.GET('/audit', { params: { query }, signal }))
    },
    getNextPageParam: ({ next }) => next,
  })
}

/** Leaves all entries of a search as a file with the person, a line each. */
export function useAuditFile(search: AuditSearch): Act {
  const { zone } = useFormat()
  return useAct(async () => {
    const headers = { accept: 'application/x-ndjson' }
    const call = api.GET('/audit', { params: { query: queryOf(search, zone) }, headers, parseAs: 'blob' })
    leaveFile((await data(call)) as unknown as Blob, 'audit.ndjson')
  })
}
