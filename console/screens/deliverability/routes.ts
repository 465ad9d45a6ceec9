import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'

const periods = [1, 7, 30] as const

/** How many days the figures are of; 7 when absent. */
export interface PeriodSearch {
  days?: 1 | 30
}

const destinations = createRoute({
  getParentRoute: () => root,
  path: '/deliverability',
  validateSearch: ({ days }: Record<string, unknown>): PeriodSearch => {
    const found = periods.find((one) => one === days)
    return found === undefined || found === 7 ? {} : { days: found }
  },
  component: lazyRouteComponent(() => import('./Destinations.tsx'), 'Destinations'),
})

const queues = createRoute({
  getParentRoute: () => root,
  path: '/deliverability/queues',
  component: lazyRouteComponent(() => import('./Queues.tsx'), 'Queues'),
})

const held = createRoute({
  getParentRoute: () => root,
  path: '/deliverability/held',
  component: lazyRouteComponent(() => import('./Held.tsx'), 'Held'),
})

const domains = createRoute({
  getParentRoute: () => root,
  path: '/deliverability/domains',
  component: lazyRouteComponent(() => import('./Domains.tsx'), 'Domains'),
})

const domain = createRoute({
  getParentRoute: () => root,
  path: '/deliverability/domains/$name',
  component: lazyRouteComponent(() => import('./Domain.tsx'), 'Domain'),
})

export const deliverabilityRoutes = [destinations, queues, held, domains, domain] as const
