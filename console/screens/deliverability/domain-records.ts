import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import type { Tone } from '../../components/Badge.tsx'
import { type Act, useAct } from '../../components/use-act.ts'

export type DomainDocument = Answer<'/domains/{name}', 'get'>
export type DomainRecord = DomainDocument['records'][number]
type State = DomainRecord['state']

export const tones: Record<State, Tone> = { found: 'good', missing: 'bad', unchecked: 'neutral' }

/** Of several records the worst; undefined where there are none. */
export function stateOf(records: readonly DomainRecord[]): State | undefined {
  const states: State[] = ['missing', 'unchecked', 'found']
  return states.find((state) => records.some((record) => record.state === state))
}

/** The domains to send from. */
export const domainsQuery = queryOptions({
  queryKey: ['domains'],
  queryFn: ({ signal }) => data(api.GET('/domains', { signal })),
})

/** A domain with its records. */
export const domainQuery = (name: string) =>
  queryOptions({
    queryKey: ['domains', name],
    queryFn: ({ signal }) => data(api.GET('/domains/{name}', { params: { path: { name } }, signal })),
  })

/** Looks at the domain name system now. */
export function useCheck(name: string): Act {
  const queries = useQueryClient()
  return useAct(async () => {
    const checked = await data(api.POST('/domains/{name}/check', { params: { path: { name } } }))
    queries.setQueryData(domainQuery(name).queryKey, checked)
    await queries.invalidateQueries({ queryKey: domainsQuery.queryKey, exact: true })
  })
}
