import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'
import type { SegmentsSearch } from './address.ts'

const parseSegmentType = (type: unknown): 'static' | 'dynamic' | undefined =>
  type === 'static' || type === 'dynamic' ? type : undefined

function parseSearch({ q, type, sort }: Record<string, unknown>): SegmentsSearch {
  const knownType = parseSegmentType(type)
  return {
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(knownType && { type: knownType }),
    ...(typeof sort === 'string' && { sort }),
  }
}

export type SegmentTab = 'contacts' | 'growth'

const segmentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/segments',
  validateSearch: parseSearch,
  component: lazyRouteComponent(() => import('./SegmentsPage.tsx'), 'SegmentsPage'),
})

const newSegmentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/segments/new',
  validateSearch: ({ type, criteria, name }: Record<string, unknown>) => ({
    type: parseSegmentType(type) ?? 'dynamic',
    /** Such as the filter of the contacts' table. */
    ...(typeof criteria === 'object' && criteria !== null && { criteria: criteria as Record<string, unknown> }),
    /** The name that is proposed, such as that of an import. */
    ...(name !== undefined && name !== '' && { name: String(name) }),
  }),
  component: lazyRouteComponent(() => import('./NewSegmentPage.tsx'), 'NewSegmentPage'),
})

const segmentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/segments/$id',
  validateSearch: ({ tab, sort }: Record<string, unknown>): { tab?: SegmentTab; sort?: string } => ({
    ...((tab === 'contacts' || tab === 'growth') && { tab }),
    ...(typeof sort === 'string' && { sort }),
  }),
  component: lazyRouteComponent(() => import('./SegmentPage.tsx'), 'SegmentPage'),
})

export const segmentPageRoutes = [segmentsRoute, newSegmentRoute, segmentRoute] as const
