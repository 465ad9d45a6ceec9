import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'

const getParentRoute = () => root

export const PHASES = ['planned', 'running', 'over'] as const
export type Phase = (typeof PHASES)[number]

/** What is sought in the list. */
export interface CampaignsSearch {
  q?: string | undefined
  phase?: Phase | undefined
  sort?: string | undefined
}

const campaigns = createRoute({
  getParentRoute,
  path: '/campaigns',
  validateSearch: ({ q, phase, sort }: Record<string, unknown>): CampaignsSearch => ({
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(PHASES.includes(phase as Phase) && { phase: phase as Phase }),
    ...(typeof sort === 'string' && { sort }),
  }),
  component: lazyRouteComponent(() => import('./Campaigns.tsx'), 'Campaigns'),
})

const fresh = createRoute({
  getParentRoute,
  path: '/campaigns/new',
  component: lazyRouteComponent(() => import('./EditCampaign.tsx'), 'NewCampaign'),
})

const campaign = createRoute({
  getParentRoute,
  path: '/campaigns/$id',
  component: lazyRouteComponent(() => import('./Campaign.tsx'), 'Campaign'),
})

const edit = createRoute({
  getParentRoute,
  path: '/campaigns/$id/edit',
  component: lazyRouteComponent(() => import('./EditCampaign.tsx'), 'EditCampaign'),
})

export const campaignRoutes = [campaigns, fresh, campaign, edit] as const
