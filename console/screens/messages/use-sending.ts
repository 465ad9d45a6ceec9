import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

/** How the account sends: profiles, domains, whether tests are asked for. */
export const useSending = () =>
  useQuery({ queryKey: ['sendingSettings'], queryFn: ({ signal }) => data(api.GET('/settings/sending', { signal })) })
