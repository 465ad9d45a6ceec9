import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'

const profiles = createRoute({
  getParentRoute: () => root,
  path: '/settings/rcs',
  component: lazyRouteComponent(() => import('./Profiles.tsx'), 'Profiles'),
})

const profile = createRoute({
  getParentRoute: () => root,
  path: '/settings/rcs/$id',
  component: lazyRouteComponent(() => import('./Profile.tsx'), 'Profile'),
})

/** Of `$id`, `new` makes one. */
export const rcsRoutes = [profiles, profile] as const
