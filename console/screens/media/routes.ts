import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

/** What is sought, and which one is open. */
export interface MediaSearch {
  q?: string
  id?: number
}

const media = createRoute({
  getParentRoute: () => rootRoute,
  path: '/media',
  validateSearch: ({ q, id }: Record<string, unknown>): MediaSearch => ({
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(Number.isInteger(Number(id)) && Number(id) > 0 && { id: Number(id) }),
  }),
  component: lazyRouteComponent(() => import('./MediaPage.tsx'), 'MediaPage'),
})

export const mediaPageRoutes = [media] as const
