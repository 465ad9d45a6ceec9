import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

/** Search text, and the id of the open file. */
export interface MediaSearch {
  q?: string
  id?: number
}

const mediaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/media',
  validateSearch: ({ q, id }: Record<string, unknown>): MediaSearch => ({
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(Number.isInteger(Number(id)) && Number(id) > 0 && { id: Number(id) }),
  }),
  component: lazyRouteComponent(() => import('./MediaPage.tsx'), 'MediaPage'),
})

export const mediaPageRoutes = [mediaRoute] as const
