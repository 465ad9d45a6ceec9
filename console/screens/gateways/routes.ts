import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const gatewaysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/gateways',
  component: lazyRouteComponent(() => import('./GatewaysPage.tsx'), 'GatewaysPage'),
})

/** Kind of the new gateway; if absent, all kinds are offered. */
export interface NewGatewaySearch {
  kind?: string
}

const newGatewayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/gateways/new',
  validateSearch: ({ kind }: Record<string, unknown>): NewGatewaySearch => (typeof kind === 'string' ? { kind } : {}),
  component: lazyRouteComponent(() => import('./NewGatewayPage.tsx'), 'NewGatewayPage'),
})

const gatewayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/gateways/$id',
  component: lazyRouteComponent(() => import('./GatewayPage.tsx'), 'GatewayPage'),
})

export const gatewayPageRoutes = [gatewaysRoute, newGatewayRoute, gatewayRoute] as const
