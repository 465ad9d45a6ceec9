import { createRoute, redirect } from '@tanstack/react-router'
import { rootRoute } from './layout/root.tsx'

/** Addresses that people guess or remember, and the pages that they lead to. */
const REDIRECTED_PATHS: Readonly<Record<string, string>> = {
  '/api-keys': '/developers',
  '/applications': '/settings/applications',
  '/audience': '/contacts',
  '/audit': '/settings/audit',
  '/automations': '/workflows',
  '/calendar': '/',
  '/content': '/designs',
  '/domains': '/deliverability/domains',
  '/functions': '/webtasks',
  '/gateways': '/settings/gateways',
  '/home': '/',
  '/keys': '/developers',
  '/lists': '/segments',
  '/people': '/settings/people',
  '/pipelines': '/compilables',
  '/profile': '/settings',
  '/queues': '/deliverability/queues',
  '/senders': '/settings/sending',
  '/settings/developers': '/developers',
  '/settings/domains': '/deliverability/domains',
  '/settings/pressure': '/pressure',
  '/settings/profile': '/settings',
  '/settings/senders': '/settings/sending',
  '/settings/users': '/settings/people',
  '/setup': '/set-up',
  '/team': '/settings/people',
  '/templates': '/designs',
  '/transactional': '/messages/on-demand',
  '/users': '/settings/people',
  '/webhooks': '/developers/webhooks',
}

export const redirectRoutes = Object.entries(REDIRECTED_PATHS).map(([path, to]) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: () => {
      throw redirect({ to, replace: true } as never)
    },
  }),
)
