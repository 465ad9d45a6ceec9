import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const getParentRoute = () => rootRoute

const rules = createRoute({
  getParentRoute,
  path: '/pressure',
  component: lazyRouteComponent(() => import('./PressureRulesPage.tsx'), 'PressureRulesPage'),
})

const topics = createRoute({
  getParentRoute,
  path: '/pressure/topics',
  component: lazyRouteComponent(() => import('./TopicsPage.tsx'), 'TopicsPage'),
})

const topic = createRoute({
  getParentRoute,
  path: '/pressure/topics/$id',
  component: lazyRouteComponent(() => import('./TopicsPage.tsx'), 'TopicPage'),
})

const rule = createRoute({
  getParentRoute,
  path: '/pressure/$id',
  component: lazyRouteComponent(() => import('./PressureRulePage.tsx'), 'PressureRulePage'),
})

/** Of which messages the contacts at the limit are shown, in the address. */
export interface ContactsAtLimitSearch {
  channel?: 'email' | 'sms' | 'rcs' | 'notification'
  purpose?: 'marketing' | 'service'
  topic?: string | undefined
  rule?: string | undefined
}

function readLimited({ channel, purpose, topic, rule }: Record<string, unknown>): ContactsAtLimitSearch {
  const isChannel = ['email', 'sms', 'rcs', 'notification'].includes(String(channel))
  return {
    ...(isChannel && { channel: channel as NonNullable<ContactsAtLimitSearch['channel']> }),
    ...(purpose === 'service' && { purpose }),
    ...(typeof topic === 'string' && { topic }),
    ...(typeof rule === 'string' && { rule }),
  }
}

const limited = createRoute({
  getParentRoute,
  path: '/pressure/limited',
  validateSearch: readLimited,
  component: lazyRouteComponent(() => import('./ContactsAtLimitPage.tsx'), 'ContactsAtLimitPage'),
})

/** Of `$id`, `new` makes one. */
export const pressurePageRoutes = [rules, topics, topic, limited, rule] as const
