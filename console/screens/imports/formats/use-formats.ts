import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'

export type ApiImportFormat = ApiAnswer<'/importFormats/{id}', 'get'>

/** How columns of files are read, as imports may name it. */
export function useImportFormats() {
  return useQuery({
    queryKey: ['importFormats'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/importFormats', { signal })),
  })
}
