import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const getParentRoute = () => rootRoute

export const DISPLAY_PERIODS_DAYS = [7, 30, 90] as const
export type DisplayPeriodDays = (typeof DISPLAY_PERIODS_DAYS)[number]

/** What is sought in a list. */
export interface DisplayListSearch {
  q?: string | undefined
}

const readList = ({ q }: Record<string, unknown>): DisplayListSearch =>
  q !== undefined && q !== '' ? { q: String(q) } : {}

/** How many days the course is of; the content whose tags are shown. */
export interface DisplayCampaignSearch {
  days?: DisplayPeriodDays | undefined
  content?: string | undefined
}

const list = createRoute({
  getParentRoute,
  path: '/display',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./DisplayCampaignsPage.tsx'), 'DisplayCampaignsPage'),
})

const campaign = createRoute({
  getParentRoute,
  path: '/display/campaigns/$id',
  validateSearch: ({ days, content }: Record<string, unknown>): DisplayCampaignSearch => ({
    ...(DISPLAY_PERIODS_DAYS.includes(days as DisplayPeriodDays) && { days: days as DisplayPeriodDays }),
    ...(content !== undefined && { content: String(content) }),
  }),
  component: lazyRouteComponent(() => import('./DisplayCampaignPage.tsx'), 'DisplayCampaignPage'),
})

const edit = createRoute({
  getParentRoute,
  path: '/display/campaigns/$id/edit',
  component: lazyRouteComponent(() => import('./EditDisplayCampaignPage.tsx'), 'EditDisplayCampaignPage'),
})

const content = createRoute({
  getParentRoute,
  path: '/display/campaigns/$id/contents/$content',
  component: lazyRouteComponent(() => import('./EditDisplayContentPage.tsx'), 'EditDisplayContentPage'),
})

const placements = createRoute({
  getParentRoute,
  path: '/display/placements',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./PlacementsPage.tsx'), 'PlacementsPage'),
})

const placement = createRoute({
  getParentRoute,
  path: '/display/placements/$id',
  component: lazyRouteComponent(() => import('./EditPlacementPage.tsx'), 'EditPlacementPage'),
})

/** Of `edit`, contents and placements, `new` makes one. */
export const displayPageRoutes = [list, campaign, edit, content, placements, placement] as const
