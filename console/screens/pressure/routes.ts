import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../frame/root.tsx'

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

/** Of `$id`, `new` makes one. */
export const pressureRoutes = [rules, topics, topic, rule] as const
