import { useQuery } from '@tanstack/react-query'
import { api, data } from './client.ts'
import type { Answer } from './shapes.ts'

/** Without what is always null. */
export type Segment = Omit<Answer<'/segments/{id}', 'get'>, 'searchId'>
export type ListedSegment = Omit<Answer<'/segments', 'get'>[number], 'searchId'>

/** The fields of the account, read once for all that shows contacts. */
export function useFields() {
  return useQuery({ queryKey: ['fields'], queryFn: ({ signal }) => data(api.GET('/fields', { signal })) })
}

/** How soon an estimate is asked for again: the exact count takes seconds to minutes. */
const COUNTING_MS = 5000

/** Whether a segment has an estimate, which will be an exact count. */
export function isEstimated({ targetsCountDate, targetsCountExact }: ListedSegment): boolean {
  return targetsCountDate !== null && !targetsCountExact
}

/** When to ask again for segments, some of which may be counted now. */
export function untilCounted(segments: readonly ListedSegment[] | undefined): number | false {
  return segments?.some(isEstimated) ? COUNTING_MS : false
}

/** The segments of the account, as lists have them. */
export function useSegments() {
  return useQuery({
    queryKey: ['segments'],
    queryFn: ({ signal }) => data(api.GET('/segments', { signal })),
    refetchInterval: ({ state }) => untilCounted(state.data),
  })
}

/** The value lists of the account, with their values. */
export function useValueLists() {
  return useQuery({ queryKey: ['valueLists'], queryFn: ({ signal }) => data(api.GET('/valueLists', { signal })) })
}
