import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

/** What messages may be about. */
export function useTopics() {
  return useQuery({
    queryKey: ['topics'],
    queryFn: ({ signal }) => data(api.GET('/marketing/pressure/topics', { signal })),
  })
}
