import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../../api/client.ts'
import type { Answer } from '../../../api/shapes.ts'

export type ImportFormat = Answer<'/importFormats/{id}', 'get'>

/** How columns of files are read, as imports may name it. */
export function useFormats() {
  return useQuery({ queryKey: ['importFormats'], queryFn: ({ signal }) => data(api.GET('/importFormats', { signal })) })
}
