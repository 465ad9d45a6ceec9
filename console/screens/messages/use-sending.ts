import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'

/** Sending settings of the account: profiles, domains, and whether tests are required. */
export const useSendingSettings = () =>
  useQuery({
    queryKey: ['sendingSettings'],
    queryFn: ({ signal }) => apiClient.getSendingSettings({ signal }),
  })
