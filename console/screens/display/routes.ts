import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'

const getParentRoute = () => root

export const PERIODS = [7, 30, 90] as const
export type Days = (typeof PERIODS)[number]

/** What is sought in a list. */
export interface ListSearch {
  q?: string | undefined
}

const readList = ({ q }: Record<string, unknown>): ListSearch => (q !== undefined && q !== '' ? { q: String(q) } : {})

/** How many days the course is of; the content whose tags are shown. */
export interface CampaignSearch {
  days?: Days | undefined
  content?: string | undefined
}

const list = createRoute({
  getParentRoute,
  path: '/display',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./DisplayCampaigns.tsx'), 'DisplayCampaigns'),
})

const campaign = createRoute({
  getParentRoute,
  path: '/display/campaigns/$id',
  validateSearch: ({ days, content }: Record<string, unknown>): CampaignSearch => ({
    ...(PERIODS.includes(days as Days) && { days: days as Days }),
    ...(content !== undefined && { content: String(content) }),
  }),
  component: lazyRouteComponent(() => import('./DisplayCampaign.tsx'), 'DisplayCampaign'),
})

const edit = createRoute({
  getParentRoute,
  path: '/display/campaigns/$id/edit',
  component: lazyRouteComponent(() => import('./EditDisplay.tsx'), 'EditDisplay'),
})

const content = createRoute({
  getParentRoute,
  path: '/display/campaigns/$id/contents/$content',
  component: lazyRouteComponent(() => import('./EditContent.tsx'), 'EditContent'),
})

const placements = createRoute({
  getParentRoute,
  path: '/display/placements',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./Placements.tsx'), 'Placements'),
})

const placement = createRoute({
  getParentRoute,
  path: '/display/placements/$id',
  component: lazyRouteComponent(() => import('./EditPlacement.tsx'), 'EditPlacement'),
})

/** Of `edit`, contents and placements, `new` makes one. */
export const displayRoutes = [list, campaign, edit, content, placements, placement] as const
