import { QueryClient } from '@tanstack/react-query'
import { isServiceAway } from './connection.ts'

/** Query cache of the page. When the service is back after a restart, everything shown is read again. */
export function createQueryClient(): QueryClient {
  const queryClient = new QueryClient({
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
    if (!isServiceAway.get()) void queryClient.invalidateQueries()
  })
  return queryClient
}
