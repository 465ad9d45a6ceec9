import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../api/client.ts'

/** Topics of messages. */
export function useTopics() {
  return useQuery({
    queryKey: ['topics'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/marketing/pressure/topics', { signal })),
  })
}
