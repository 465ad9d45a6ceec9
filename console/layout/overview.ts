import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../api/client.ts'
import type { ApiAnswer } from '../api/shapes.ts'

const BUSY_INTERVAL_MS = 3000
const IDLE_INTERVAL_MS = 30_000

export type ApiOverview = ApiAnswer<'getOverview'>

/** True if work is in progress: a workflow that accepts contacts is always active and does not count. */
export const isOverviewRunning = ({ state }: ApiOverview['running'][number]): boolean => state !== 'active'

/** Running, waiting and failed work in this account, refetched while the page is visible. */
export function useAccountOverview() {
  return useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => apiClient.getOverview({ signal }),
    refetchInterval: ({ state }) => (state.data?.running.some(isOverviewRunning) ? BUSY_INTERVAL_MS : IDLE_INTERVAL_MS),
    refetchIntervalInBackground: false,
  })
}
