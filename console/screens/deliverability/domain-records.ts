import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import type { Tone } from '../../parts/Badge.tsx'

export type DomainRecord = Answer<'/domains/{name}', 'get'>['records'][number]
type State = DomainRecord['state']

export const tones: Record<State, Tone> = { found: 'good', missing: 'bad', unchecked: 'neutral' }

/** Of several records the worst; undefined where there are none. */
export function stateOf(records: readonly DomainRecord[]): State | undefined {
  const states: State[] = ['missing', 'unchecked', 'found']
  return states.find((state) => records.some((record) => record.state === state))
}

/** A domain with its records. */
export const domainQuery = (name: string) =>
  queryOptions({
    queryKey: ['domains', name],
    queryFn: ({ signal }) => data(api.GET('/domains/{name}', { params: { path: { name } }, signal })),
  })
