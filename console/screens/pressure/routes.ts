import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'
import type { ContactsAtLimitSearch } from './address.ts'

const getRootRoute = () => rootRoute

const rulesRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/pressure',
  component: lazyRouteComponent(() => import('./PressureRulesPage.tsx'), 'PressureRulesPage'),
})

const topicsRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/pressure/topics',
  component: lazyRouteComponent(() => import('./TopicsPage.tsx'), 'TopicsPage'),
})

const topic = createRoute({
  getParentRoute: getRootRoute,
  path: '/pressure/topics/$id',
  component: lazyRouteComponent(() => import('./TopicsPage.tsx'), 'TopicPage'),
})

const rule = createRoute({
  getParentRoute: getRootRoute,
  path: '/pressure/$id',
  component: lazyRouteComponent(() => import('./PressureRulePage.tsx'), 'PressureRulePage'),
})

function parseLimitSearch({ channel, purpose, topic, rule }: Record<string, unknown>): ContactsAtLimitSearch {
  const isChannel = ['email', 'sms', 'rcs', 'notification'].includes(String(channel))
  return {
    ...(isChannel && { channel: channel as NonNullable<ContactsAtLimitSearch['channel']> }),
    ...(purpose === 'service' && { purpose }),
    ...(typeof topic === 'string' && { topic }),
    ...(typeof rule === 'string' && { rule }),
  }
}

const contactsAtLimitRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/pressure/limited',
  validateSearch: parseLimitSearch,
  component: lazyRouteComponent(() => import('./ContactsAtLimitPage.tsx'), 'ContactsAtLimitPage'),
})

/** `new` as `$id` creates a rule or a topic. */
export const pressurePageRoutes = [rulesRoute, topicsRoute, topic, contactsAtLimitRoute, rule] as const
