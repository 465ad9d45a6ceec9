import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'

const getParentRoute = () => root

const rules = createRoute({
  getParentRoute,
  path: '/pressure',
  component: lazyRouteComponent(() => import('./Rules.tsx'), 'Rules'),
})

const topics = createRoute({
  getParentRoute,
  path: '/pressure/topics',
  component: lazyRouteComponent(() => import('./Topics.tsx'), 'Topics'),
})

const topic = createRoute({
  getParentRoute,
  path: '/pressure/topics/$id',
  component: lazyRouteComponent(() => import('./Topics.tsx'), 'Topic'),
})

const rule = createRoute({
  getParentRoute,
  path: '/pressure/$id',
  component: lazyRouteComponent(() => import('./Rule.tsx'), 'Rule'),
})

/** Of which messages the contacts at the limit are shown, in the address. */
export interface LimitedSearch {
  channel?: 'email' | 'sms' | 'rcs' | 'notification'
  purpose?: 'marketing' | 'service'
  topic?: string | undefined
  rule?: string | undefined
}

function readLimited({ channel, purpose, topic, rule }: Record<string, unknown>): LimitedSearch {
  const isChannel = ['email', 'sms', 'rcs', 'notification'].includes(String(channel))
  return {
    ...(isChannel && { channel: channel as NonNullable<LimitedSearch['channel']> }),
    ...(purpose === 'service' && { purpose }),
    ...(typeof topic === 'string' && { topic }),
    ...(typeof rule === 'string' && { rule }),
  }
}

const limited = createRoute({
  getParentRoute,
  path: '/pressure/limited',
  validateSearch: readLimited,
  component: lazyRouteComponent(() => import('./Limited.tsx'), 'Limited'),
})

/** Of `$id`, `new` makes one. */
export const pressureRoutes = [rules, topics, topic, limited, rule] as const
