import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const gateways = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/gateways',
  component: lazyRouteComponent(() => import('./GatewaysPage.tsx'), 'GatewaysPage'),
})

/** Which kind is made; none: they are shown to choose from. */
export interface NewGatewaySearch {
  kind?: string
}

const newGateway = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/gateways/new',
  validateSearch: ({ kind }: Record<string, unknown>): NewGatewaySearch => (typeof kind === 'string' ? { kind } : {}),
  component: lazyRouteComponent(() => import('./NewGatewayPage.tsx'), 'NewGatewayPage'),
})

const gateway = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/gateways/$id',
  component: lazyRouteComponent(() => import('./GatewayPage.tsx'), 'GatewayPage'),
})

export const gatewayPageRoutes = [gateways, newGateway, gateway] as const
