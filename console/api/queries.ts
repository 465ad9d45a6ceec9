import { QueryClient } from '@tanstack/react-query'
import { isAway } from './connection.ts'
import { Refusal } from './refusal.ts'

/** Reads are tried again when the service had no place for them, never when it said no. */
function retry(failures: number, error: unknown): boolean {
  return failures < 2 && error instanceof Refusal && (error.status === 503 || error.status === 429)
}

function retryDelay(failures: number, error: unknown): number {
  const asked = error instanceof Refusal ? error.retryAfterSeconds : null
  return asked === null ? 500 * 2 ** failures : Math.min(asked, 10) * 1000
}

/** What the page has read. Once the service is back after a restart, all that is shown is read anew. */
export function createQueries(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        retry,
        retryDelay,
        staleTime: 5000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: true,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
  isAway.subscribe(() => {
    if (!isAway.get()) void queries.invalidateQueries()
  })
  return queries
}
