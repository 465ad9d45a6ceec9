import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const profilesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/rcs',
  component: lazyRouteComponent(() => import('./RcsProfilesPage.tsx'), 'RcsProfilesPage'),
})

const profileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/rcs/$id',
  component: lazyRouteComponent(() => import('./RcsProfilePage.tsx'), 'RcsProfilePage'),
})

/** `new` as `$id` creates a profile. */
export const rcsPageRoutes = [profilesRoute, profileRoute] as const
