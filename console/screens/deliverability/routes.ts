import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const PERIOD_DAYS = [1, 7, 30] as const

/** Number of days covered by the figures; 7 when absent. */
export interface DeliverabilitySearch {
  days?: 1 | 30
}

const destinationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliverability',
  validateSearch: ({ days }: Record<string, unknown>): DeliverabilitySearch => {
    const knownPeriod = PERIOD_DAYS.find((candidate) => candidate === days)
    return knownPeriod === undefined || knownPeriod === 7 ? {} : { days: knownPeriod }
  },
  component: lazyRouteComponent(() => import('./DestinationsPage.tsx'), 'DestinationsPage'),
})

const queuesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliverability/queues',
  component: lazyRouteComponent(() => import('./QueuesPage.tsx'), 'QueuesPage'),
})

const heldRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliverability/held',
  component: lazyRouteComponent(() => import('./UncertainMessagesPage.tsx'), 'UncertainMessagesPage'),
})

const domainsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliverability/domains',
  component: lazyRouteComponent(() => import('./DomainsPage.tsx'), 'DomainsPage'),
})

const domainRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliverability/domains/$name',
  component: lazyRouteComponent(() => import('./DomainPage.tsx'), 'DomainPage'),
})

export const deliverabilityPageRoutes = [destinationsRoute, queuesRoute, heldRoute, domainsRoute, domainRoute] as const
