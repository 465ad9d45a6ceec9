import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'

const gateways = createRoute({
  getParentRoute: () => root,
  path: '/settings/gateways',
  component: lazyRouteComponent(() => import('./Gateways.tsx'), 'Gateways'),
})

/** Which kind is made; none: they are shown to choose from. */
export interface KindSearch {
  kind?: string
}

const newGateway = createRoute({
  getParentRoute: () => root,
  path: '/settings/gateways/new',
  validateSearch: ({ kind }: Record<string, unknown>): KindSearch => (typeof kind === 'string' ? { kind } : {}),
  component: lazyRouteComponent(() => import('./NewGateway.tsx'), 'NewGateway'),
})

const gateway = createRoute({
  getParentRoute: () => root,
  path: '/settings/gateways/$id',
  component: lazyRouteComponent(() => import('./Gateway.tsx'), 'Gateway'),
})

export const gatewayRoutes = [gateways, newGateway, gateway] as const
