import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const applications = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/applications',
  component: lazyRouteComponent(() => import('./ApplicationsPage.tsx'), 'ApplicationsPage'),
})

const application = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/applications/$id',
  component: lazyRouteComponent(() => import('./ApplicationPage.tsx'), 'ApplicationPage'),
})

const connect = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/applications/$id/connect',
  component: lazyRouteComponent(() => import('./ConnectAppPage.tsx'), 'ConnectAppPage'),
})

/** Of `$id`, `new` makes one. */
export const applicationPageRoutes = [applications, application, connect] as const
