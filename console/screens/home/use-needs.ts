import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'
import { ApiRefusal } from '../../api/refusal.ts'
import type { ApiOverview } from '../../layout/overview.ts'
import { domainsQuery } from '../deliverability/domain-records.ts'
import { collectHomeNeeds, type HomeNeed } from './needs.ts'

const WEEK_MS = 7 * 24 * 3600 * 1000
/** Campaigns whose experiments are read. */
const MAX_EXPERIMENTS = 8

const weekQuery = queryOptions({
  queryKey: ['deliverability', 'week'],
  queryFn: ({ signal }) =>
    apiClient.getDeliverability({ query: { start: new Date(Date.now() - WEEK_MS).toISOString() }, signal }),
  staleTime: 60_000,
})

/** Experiment of a running campaign; null when it has none. */
const experimentQuery = ({ type, id }: ApiOverview['running'][number]) =>
  queryOptions({
    queryKey: ['experiment', type, id],
    queryFn: async ({ signal }) => {
      const params = { path: { id: String(id) }, signal }
      try {
        return await (type === 'rcsCampaign'
          ? apiClient.getRcsActionExperiment(params)
          : apiClient.getActionExperiment(params))
      } catch (error) {
        if (error instanceof ApiRefusal && error.status === 404) return null
        throw error
      }
    },
    staleTime: 60_000,
  })

/** What waits for a person. Parts that could not be read are left out: the page of each says why. */
export function useHomeNeeds(overview: ApiOverview): HomeNeed[] {
  const campaigns = overview.running.filter(({ type }) => type.endsWith('Campaign')).slice(0, MAX_EXPERIMENTS)
  const experiments = useQueries({ queries: campaigns.map(experimentQuery) })
  const decisions = campaigns.flatMap((campaign, index) => {
    const experiment = experiments[index]?.data
    return experiment?.state === 'asking' ? [{ campaign, waiting: experiment.waiting }] : []
  })
  return collectHomeNeeds({
    overview,
    destinations: useQuery(weekQuery).data?.destinations ?? [],
    domains: useQuery(domainsQuery).data ?? [],
    decisions,
  })
}
