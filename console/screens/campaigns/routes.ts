import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const getParentRoute = () => rootRoute

export const CAMPAIGN_PHASES = ['planned', 'running', 'over'] as const
export type CampaignPhase = (typeof CAMPAIGN_PHASES)[number]

/** What is sought in the list. */
export interface CampaignsSearch {
  q?: string | undefined
  phase?: CampaignPhase | undefined
  sort?: string | undefined
}

const campaigns = createRoute({
  getParentRoute,
  path: '/campaigns',
  validateSearch: ({ q, phase, sort }: Record<string, unknown>): CampaignsSearch => ({
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(CAMPAIGN_PHASES.includes(phase as CampaignPhase) && { phase: phase as CampaignPhase }),
    ...(typeof sort === 'string' && { sort }),
  }),
  component: lazyRouteComponent(() => import('./CampaignsPage.tsx'), 'CampaignsPage'),
})

const fresh = createRoute({
  getParentRoute,
  path: '/campaigns/new',
  component: lazyRouteComponent(() => import('./EditCampaignPage.tsx'), 'NewCampaignPage'),
})

const campaign = createRoute({
  getParentRoute,
  path: '/campaigns/$id',
  component: lazyRouteComponent(() => import('./CampaignPage.tsx'), 'CampaignPage'),
})

const edit = createRoute({
  getParentRoute,
  path: '/campaigns/$id/edit',
  component: lazyRouteComponent(() => import('./EditCampaignPage.tsx'), 'EditCampaignPage'),
})

export const campaignPageRoutes = [campaigns, fresh, campaign, edit] as const
