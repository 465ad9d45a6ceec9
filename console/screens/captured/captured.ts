import { queryOptions } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import type { CapturedSearch } from './address.ts'

const LIVE_INTERVAL_MS = 5000
/** Without it, the interface answers with a page. */
const jsonHeaders = { accept: 'application/json' }

export type CapturedRow = ApiAnswer<'listCapturedMessages'>[number]
export type ApiCapturedMessage = ApiAnswer<'getCapturedMessage'>

/** The newest messages, read again for as long as the page is seen. */
export const capturedMessagesQuery = queryOptions({
  queryKey: ['captured'],
  queryFn: ({ signal }) => apiClient.listCapturedMessages({ headers: jsonHeaders, signal }),
  refetchInterval: ({ state }) => (state.error ? false : LIVE_INTERVAL_MS),
  refetchIntervalInBackground: false,
})

/** One message; it never changes. */
export const capturedMessageQuery = (id: string) =>
  queryOptions({
    queryKey: ['captured', id],
    queryFn: ({ signal }) => apiClient.getCapturedMessage({ path: { id }, headers: jsonHeaders, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Those of a channel that hold some words in an address or the subject. */
export function filterCapturedMessages(
  rows: readonly CapturedRow[],
  { channel, q = '' }: CapturedSearch,
): CapturedRow[] {
  const searchWords = q.trim().toLowerCase()
  return rows.filter(
    (row) =>
      (channel === undefined || row.channel === channel) &&
      [row.to, row.from, row.subject].some((text) => text.toLowerCase().includes(searchWords)),
  )
}
