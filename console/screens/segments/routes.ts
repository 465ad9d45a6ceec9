import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

/** What the list of segments is made by, in the address. */
export interface SegmentsSearch {
  q?: string
  type?: 'static' | 'dynamic'
  sort?: string
}

const typeOf = (type: unknown): 'static' | 'dynamic' | undefined =>
  type === 'static' || type === 'dynamic' ? type : undefined

function readSearch({ q, type, sort }: Record<string, unknown>): SegmentsSearch {
  const known = typeOf(type)
  return {
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(known && { type: known }),
    ...(typeof sort === 'string' && { sort }),
  }
}

export type SegmentTab = 'contacts' | 'growth'

const segments = createRoute({
  getParentRoute: () => rootRoute,
  path: '/segments',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./SegmentsPage.tsx'), 'SegmentsPage'),
})

const created = createRoute({
  getParentRoute: () => rootRoute,
  path: '/segments/new',
  validateSearch: ({ type, criteria }: Record<string, unknown>) => ({
    type: typeOf(type) ?? 'dynamic',
    /** Such as the filter of the contacts' table. */
    ...(typeof criteria === 'object' && criteria !== null && { criteria: criteria as Record<string, unknown> }),
  }),
  component: lazyRouteComponent(() => import('./NewSegmentPage.tsx'), 'NewSegmentPage'),
})

const segment = createRoute({
  getParentRoute: () => rootRoute,
  path: '/segments/$id',
  validateSearch: ({ tab, sort }: Record<string, unknown>): { tab?: SegmentTab; sort?: string } => ({
    ...((tab === 'contacts' || tab === 'growth') && { tab }),
    ...(typeof sort === 'string' && { sort }),
  }),
  component: lazyRouteComponent(() => import('./SegmentPage.tsx'), 'SegmentPage'),
})

export const segmentPageRoutes = [segments, created, segment] as const
