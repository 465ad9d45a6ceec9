import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from './client.ts'
import type { ApiAnswer } from './shapes.ts'

/** Without what is always null. */
export type ApiSegment = Omit<ApiAnswer<'/segments/{id}', 'get'>, 'searchId'>
export type ListedApiSegment = Omit<ApiAnswer<'/segments', 'get'>[number], 'searchId'>

/** The fields of the account, read once for all that shows contacts. */
export function useContactFields() {
  return useQuery({ queryKey: ['fields'], queryFn: ({ signal }) => readAnswer(apiClient.GET('/fields', { signal })) })
}

/** How soon an estimate is asked for again: the exact count takes seconds to minutes. */
const COUNTING_MS = 5000

/** Whether a segment has an estimate, which will be an exact count. */
export function isSegmentEstimated({ targetsCountDate, targetsCountExact }: ListedApiSegment): boolean {
  return targetsCountDate !== null && !targetsCountExact
}

/** When to ask again for segments, some of which may be counted now. */
export function segmentRefetchMs(segments: readonly ListedApiSegment[] | undefined): number | false {
  return segments?.some(isSegmentEstimated) ? COUNTING_MS : false
}

/** The segments of the account, as lists have them. */
export function useSegments() {
  return useQuery({
    queryKey: ['segments'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/segments', { signal })),
    refetchInterval: ({ state }) => segmentRefetchMs(state.data),
  })
}

/** The value lists of the account, with their values. */
export function useValueLists() {
  return useQuery({
    queryKey: ['valueLists'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/valueLists', { signal })),
  })
}
