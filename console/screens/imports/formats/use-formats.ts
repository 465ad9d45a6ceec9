import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'

export type ApiImportFormat = ApiAnswer<'getImportFormat'>

/** Import formats that imports can refer to. */
export function useImportFormats() {
  return useQuery({
    queryKey: ['importFormats'],
    queryFn: ({ signal }) => apiClient.listImportFormats({ signal }),
  })
}
