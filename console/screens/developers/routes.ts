import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/developers',
  component: lazyRouteComponent(() => import('./ApiKeysPage.tsx'), 'ApiKeysPage'),
})

const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/developers/webhooks',
  component: lazyRouteComponent(() => import('./WebhooksPage.tsx'), 'WebhooksPage'),
})

const webhookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/developers/webhooks/$id',
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: 'settings' } => (tab === 'settings' ? { tab } : {}),
  component: lazyRouteComponent(() => import('./WebhookPage.tsx'), 'WebhookPage'),
})

const streamRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/developers/stream',
  component: lazyRouteComponent(() => import('./EventStreamPage.tsx'), 'EventStreamPage'),
})

/** Filter of the requests: by key, and by status such as `404` or `4xx`. */
export interface ApiRequestsSearch {
  key?: number
  status?: string
}

const requestsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/developers/requests',
  validateSearch: ({ key, status }: Record<string, unknown>): ApiRequestsSearch => ({
    ...(Number.isInteger(key) && { key: Number(key) }),
    ...(status !== undefined && status !== '' && { status: String(status) }),
  }),
  component: lazyRouteComponent(() => import('./ApiRequestsPage.tsx'), 'ApiRequestsPage'),
})

export const developerPageRoutes = [keysRoute, webhooksRoute, webhookRoute, streamRoute, requestsRoute] as const
