import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import type { CapturedSearch } from './routes.ts'

const LIVE_MS = 5000
/** Without it, the interface answers with a page. */
const headers = { accept: 'application/json' }

export type CapturedRow = Answer<'/captured', 'get'>[number]
export type CapturedMessage = Answer<'/captured/{id}', 'get'>

/** The newest messages, read again for as long as the page is seen. */
export const capturedQuery = queryOptions({
  queryKey: ['captured'],
  queryFn: ({ signal }) => data(api.GET('/captured', { headers, signal })),
  refetchInterval: ({ state }) => (state.error ? false : LIVE_MS),
  refetchIntervalInBackground: false,
})

/** One message; it never changes. */
export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['captured', id],
    queryFn: ({ signal }) => data(api.GET('/captured/{id}', { params: { path: { id } }, headers, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Those of a channel that hold some words in an address or the subject. */
export function filtered(rows: readonly CapturedRow[], { channel, q = '' }: CapturedSearch): CapturedRow[] {
  const words = q.trim().toLowerCase()
  return rows.filter(
    (row) =>
      (channel === undefined || row.channel === channel) &&
      [row.to, row.from, row.subject].some((text) => text.toLowerCase().includes(words)),
  )
}
