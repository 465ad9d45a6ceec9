import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'

/** Topics of messages. */
export function useTopics() {
  return useQuery({
    queryKey: ['topics'],
    queryFn: ({ signal }) => apiClient.listPressureTopics({ signal }),
  })
}
