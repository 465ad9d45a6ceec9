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

/** The segments of the account, as lists have them. */
export function useSegments() {
  return useQuery({ queryKey: ['segments'], queryFn: ({ signal }) => data(api.GET('/segments', { signal })) })
}

/** The value lists of the account, with their values. */
export function useValueLists() {
  return useQuery({ queryKey: ['valueLists'], queryFn: ({ signal }) => data(api.GET('/valueLists', { signal })) })
}
