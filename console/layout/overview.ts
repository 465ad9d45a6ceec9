import { useQuery } from '@tanstack/react-query'
import { api, data } from '../api/client.ts'
import type { Answer } from '../api/shapes.ts'

const BUSY_MS = 3000
const IDLE_MS = 30_000

export type Overview = Answer<'/overview', 'get'>

/** Whether something is under way now: a workflow that takes contacts always is, and does not count. */
export const isUnderWay = ({ state }: Overview['running'][number]): boolean => state !== 'active'

/** What runs, waits and failed in this account, asked for as long as the page is seen. */
export function useOverview() {
  return useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => data(api.GET('/overview', { signal })),
    refetchInterval: ({ state }) => (state.data?.running.some(isUnderWay) ? BUSY_MS : IDLE_MS),
    refetchIntervalInBackground: false,
  })
}
