import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const profiles = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/rcs',
  component: lazyRouteComponent(() => import('./RcsProfilesPage.tsx'), 'RcsProfilesPage'),
})

const profile = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/rcs/$id',
  component: lazyRouteComponent(() => import('./RcsProfilePage.tsx'), 'RcsProfilePage'),
})

/** Of `$id`, `new` makes one. */
export const rcsPageRoutes = [profiles, profile] as const
