import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'

const keys = createRoute({
  getParentRoute: () => root,
  path: '/developers',
  component: lazyRouteComponent(() => import('./Keys.tsx'), 'Keys'),
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/developers/webhooks',
  component: lazyRouteComponent(() => import('./Webhooks.tsx'), 'Webhooks'),
})

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/developers/webhooks/$id',
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: 'settings' } => (tab === 'settings' ? { tab } : {}),
  component: lazyRouteComponent(() => import('./Webhook.tsx'), 'Webhook'),
})

const stream = createRoute({
  getParentRoute: () => root,
  path: '/developers/stream',
  component: lazyRouteComponent(() => import('./Stream.tsx'), 'Stream'),
})

/** Which requests are shown: of a key, of a status such as `404` or `4xx`. */
export interface RequestSearch {
  key?: number
  status?: string
}

const requests = createRoute({
  getParentRoute: () => root,
  path: '/developers/requests',
  validateSearch: ({ key, status }: Record<string, unknown>): RequestSearch => ({
    ...(Number.isInteger(key) && { key: Number(key) }),
    ...(status !== undefined && status !== '' && { status: String(status) }),
  }),
  component: lazyRouteComponent(() => import('./Requests.tsx'), 'Requests'),
})

export const developerRoutes = [keys, webhooks, webhook, stream, requests] as const
