import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../api/client.ts'
import type { ApiAnswer } from '../api/shapes.ts'

const BUSY_MS = 3000
const IDLE_MS = 30_000

export type ApiOverview = ApiAnswer<'/overview', 'get'>

/** Whether something is under way now: a workflow that takes contacts always is, and does not count. */
export const isOverviewRunning = ({ state }: ApiOverview['running'][number]): boolean => state !== 'active'

/** What runs, waits and failed in this account, asked for as long as the page is seen. */
export function useAccountOverview() {
  return useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/overview', { signal })),
    refetchInterval: ({ state }) => (state.data?.running.some(isOverviewRunning) ? BUSY_MS : IDLE_MS),
    refetchIntervalInBackground: false,
  })
}
