import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const applicationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/applications',
  component: lazyRouteComponent(() => import('./ApplicationsPage.tsx'), 'ApplicationsPage'),
})

const applicationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/applications/$id',
  component: lazyRouteComponent(() => import('./ApplicationPage.tsx'), 'ApplicationPage'),
})

const connectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/applications/$id/connect',
  component: lazyRouteComponent(() => import('./ConnectAppPage.tsx'), 'ConnectAppPage'),
})

/** `new` as `$id` creates an application. */
export const applicationPageRoutes = [applicationsRoute, applicationRoute, connectRoute] as const
