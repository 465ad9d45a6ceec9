import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'

/** What is sought, and which one is open. */
export interface MediaSearch {
  q?: string
  id?: number
}

const media = createRoute({
  getParentRoute: () => root,
  path: '/media',
  validateSearch: ({ q, id }: Record<string, unknown>): MediaSearch => ({
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(Number.isInteger(Number(id)) && Number(id) > 0 && { id: Number(id) }),
  }),
  component: lazyRouteComponent(() => import('./Media.tsx'), 'Media'),
})

export const mediaRoutes = [media] as const
