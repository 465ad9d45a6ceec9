import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const periods = [1, 7, 30] as const

/** How many days the figures are of; 7 when absent. */
export interface DeliverabilitySearch {
  days?: 1 | 30
}

const destinations = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliverability',
  validateSearch: ({ days }: Record<string, unknown>): DeliverabilitySearch => {
    const found = periods.find((one) => one === days)
    return found === undefined || found === 7 ? {} : { days: found }
  },
  component: lazyRouteComponent(() => import('./DestinationsPage.tsx'), 'DestinationsPage'),
})

const queues = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliverability/queues',
  component: lazyRouteComponent(() => import('./QueuesPage.tsx'), 'QueuesPage'),
})

const held = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliverability/held',
  component: lazyRouteComponent(() => import('./UncertainMessagesPage.tsx'), 'UncertainMessagesPage'),
})

const domains = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliverability/domains',
  component: lazyRouteComponent(() => import('./DomainsPage.tsx'), 'DomainsPage'),
})

const domain = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliverability/domains/$name',
  component: lazyRouteComponent(() => import('./DomainPage.tsx'), 'DomainPage'),
})

export const deliverabilityPageRoutes = [destinations, queues, held, domains, domain] as const
