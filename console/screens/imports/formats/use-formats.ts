import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'

export type ApiImportFormat = ApiAnswer<'/importFormats/{id}', 'get'>

/** Import formats that imports can refer to. */
export function useImportFormats() {
  return useQuery({
    queryKey: ['importFormats'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/importFormats', { signal })),
  })
}
