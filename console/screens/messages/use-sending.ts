import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../api/client.ts'

/** How the account sends: profiles, domains, whether tests are asked for. */
export const useSendingSettings = () =>
  useQuery({
    queryKey: ['sendingSettings'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/settings/sending', { signal })),
  })
