import { useQuery } from '@tanstack/react-query'
import { apiClient } from './client.ts'
import type { ApiAnswer } from './shapes.ts'

/** Without what is always null. */
export type ApiSegment = Omit<ApiAnswer<'getSegment'>, 'searchId'>
export type ListedApiSegment = Omit<ApiAnswer<'listSegments'>[number], 'searchId'>

/** The expiration of a segment that never expires: the service gives one without an expiration a year. */
export const NO_SEGMENT_EXPIRATION = '9999-12-31T00:00:00.000Z'

/** True if a segment with this expiration never expires. */
export const isSegmentEndless = (expiration: string | null): boolean => expiration?.startsWith('9999') ?? false

/** The fields of the account, read once for all that shows contacts. */
export function useContactFields() {
  return useQuery({ queryKey: ['fields'], queryFn: ({ signal }) => apiClient.listFields({ signal }) })
}

/** Refetch interval of an estimate: the exact count takes seconds to minutes. */
const COUNT_REFETCH_MS = 5000

/** True if the count of a segment is an estimate that an exact count will replace. */
export function isSegmentEstimated({ targetsCountDate, targetsCountExact }: ListedApiSegment): boolean {
  return targetsCountDate !== null && !targetsCountExact
}

/** Refetch interval of segments, some of which may be counted now. */
export function segmentRefetchMs(segments: readonly ListedApiSegment[] | undefined): number | false {
  return segments?.some(isSegmentEstimated) ? COUNT_REFETCH_MS : false
}

/** The segments of the account, as lists have them. */
export function useSegments() {
  return useQuery({
    queryKey: ['segments'],
    queryFn: ({ signal }) => apiClient.listSegments({ signal }),
    refetchInterval: ({ state }) => segmentRefetchMs(state.data),
  })
}

/** The value lists of the account, with their values. */
export function useValueLists() {
  return useQuery({
    queryKey: ['valueLists'],
    queryFn: ({ signal }) => apiClient.listValueLists({ signal }),
  })
}
