import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'
import { CAMPAIGN_PHASES, type CampaignPhase, type CampaignsSearch } from './address.ts'

const getRootRoute = () => rootRoute

const campaignsRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/campaigns',
  validateSearch: ({ q, phase, sort }: Record<string, unknown>): CampaignsSearch => ({
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(CAMPAIGN_PHASES.includes(phase as CampaignPhase) && { phase: phase as CampaignPhase }),
    ...(typeof sort === 'string' && { sort }),
  }),
  component: lazyRouteComponent(() => import('./CampaignsPage.tsx'), 'CampaignsPage'),
})

const newCampaignRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/campaigns/new',
  component: lazyRouteComponent(() => import('./EditCampaignPage.tsx'), 'NewCampaignPage'),
})

const campaignRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/campaigns/$id',
  component: lazyRouteComponent(() => import('./CampaignPage.tsx'), 'CampaignPage'),
})

const editCampaignRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/campaigns/$id/edit',
  component: lazyRouteComponent(() => import('./EditCampaignPage.tsx'), 'EditCampaignPage'),
})

export const campaignPageRoutes = [campaignsRoute, newCampaignRoute, campaignRoute, editCampaignRoute] as const
