import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import type { BadgeTone } from '../../components/StateBadge.tsx'
import { type AsyncAction, useAsyncAction } from '../../components/use-act.ts'

export type ApiDomain = ApiAnswer<'getDomain'>
export type ApiDomainRecord = ApiDomain['records'][number]
type RecordState = ApiDomainRecord['state']

export const domainRecordTones: Record<RecordState, BadgeTone> = { found: 'good', missing: 'bad', unchecked: 'neutral' }

/** Returns the worst state of several records; `undefined` if there are none. */
export function findWorstRecordState(records: readonly ApiDomainRecord[]): RecordState | undefined {
  const statesByPriority: RecordState[] = ['missing', 'unchecked', 'found']
  return statesByPriority.find((state) => records.some((record) => record.state === state))
}

/** The domains to send from. */
export const domainsQuery = queryOptions({
  queryKey: ['domains'],
  queryFn: ({ signal }) => apiClient.listDomains({ signal }),
})

/** A domain with its records. */
export const domainQuery = (name: string) =>
  queryOptions({
    queryKey: ['domains', name],
    queryFn: ({ signal }) => apiClient.getDomain({ path: { name }, signal }),
  })

/** Looks at the domain name system now. */
export function useDomainCheck(name: string): AsyncAction {
  const queryClient = useQueryClient()
  return useAsyncAction(async () => {
    const checkedDomain = await apiClient.checkDomain({ path: { name } })
    queryClient.setQueryData(domainQuery(name).queryKey, checkedDomain)
    await queryClient.invalidateQueries({ queryKey: domainsQuery.queryKey, exact: true })
  })
}
