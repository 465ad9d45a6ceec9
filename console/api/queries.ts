import { QueryClient } from '@tanstack/react-query'
import { isServiceAway } from './connection.ts'

/** What the page has read. Once the service is back after a restart, all that is shown is read anew. */
export function createQueryClient(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        // The client retries requests that the service was too busy for.
        retry: false,
        staleTime: 5000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: true,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
  isServiceAway.subscribe(() => {
    if (!isServiceAway.get()) void queries.invalidateQueries()
  })
  return queries
}
