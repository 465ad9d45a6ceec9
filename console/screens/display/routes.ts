import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'
import { DISPLAY_PERIODS_DAYS, type DisplayCampaignSearch, type DisplayPeriodDays } from './address.ts'

const getRootRoute = () => rootRoute

/** Search of a list. */
export interface DisplayListSearch {
  q?: string | undefined
}

const parseListSearch = ({ q }: Record<string, unknown>): DisplayListSearch =>
  q !== undefined && q !== '' ? { q: String(q) } : {}

const campaignsRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/display',
  validateSearch: parseListSearch,
  component: lazyRouteComponent(() => import('./DisplayCampaignsPage.tsx'), 'DisplayCampaignsPage'),
})

const campaignRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/display/campaigns/$id',
  validateSearch: ({ days, content }: Record<string, unknown>): DisplayCampaignSearch => ({
    ...(DISPLAY_PERIODS_DAYS.includes(days as DisplayPeriodDays) && { days: days as DisplayPeriodDays }),
    ...(content !== undefined && { content: String(content) }),
  }),
  component: lazyRouteComponent(() => import('./DisplayCampaignPage.tsx'), 'DisplayCampaignPage'),
})

const editCampaignRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/display/campaigns/$id/edit',
  component: lazyRouteComponent(() => import('./EditDisplayCampaignPage.tsx'), 'EditDisplayCampaignPage'),
})

const content = createRoute({
  getParentRoute: getRootRoute,
  path: '/display/campaigns/$id/contents/$content',
  component: lazyRouteComponent(() => import('./EditDisplayContentPage.tsx'), 'EditDisplayContentPage'),
})

const placementsRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/display/placements',
  validateSearch: parseListSearch,
  component: lazyRouteComponent(() => import('./PlacementsPage.tsx'), 'PlacementsPage'),
})

const placementRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/display/placements/$id',
  component: lazyRouteComponent(() => import('./EditPlacementPage.tsx'), 'EditPlacementPage'),
})

/** `new` as the id creates a campaign (`editCampaignRoute`), a content or a placement. */
export const displayPageRoutes = [
  campaignsRoute,
  campaignRoute,
  editCampaignRoute,
  content,
  placementsRoute,
  placementRoute,
] as const
