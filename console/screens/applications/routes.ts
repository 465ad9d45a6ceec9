import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'

const applications = createRoute({
  getParentRoute: () => root,
  path: '/settings/applications',
  component: lazyRouteComponent(() => import('./Applications.tsx'), 'Applications'),
})

const application = createRoute({
  getParentRoute: () => root,
  path: '/settings/applications/$id',
  component: lazyRouteComponent(() => import('./Application.tsx'), 'Application'),
})

const connect = createRoute({
  getParentRoute: () => root,
  path: '/settings/applications/$id/connect',
  component: lazyRouteComponent(() => import('./Connect.tsx'), 'Connect'),
})

/** Of `$id`, `new` makes one. */
export const applicationRoutes = [applications, application, connect] as const
