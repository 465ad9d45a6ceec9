import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'

const getParentRoute = () => root

const fields = createRoute({
  getParentRoute,
  path: '/fields',
  component: lazyRouteComponent(() => import('./Fields.tsx'), 'Fields'),
})

const field = createRoute({
  getParentRoute,
  path: '/fields/$id',
  component: lazyRouteComponent(() => import('./Field.tsx'), 'Field'),
})

const valueLists = createRoute({
  getParentRoute,
  path: '/value-lists',
  component: lazyRouteComponent(() => import('./Fields.tsx'), 'ValueLists'),
})

const valueList = createRoute({
  getParentRoute,
  path: '/value-lists/$id',
  component: lazyRouteComponent(() => import('./ValueList.tsx'), 'ValueList'),
})

const forms = createRoute({
  getParentRoute,
  path: '/forms',
  component: lazyRouteComponent(() => import('./Fields.tsx'), 'Forms'),
})

const form = createRoute({
  getParentRoute,
  path: '/forms/$id',
  component: lazyRouteComponent(() => import('./FormPage.tsx'), 'FormPage'),
})

/** Of `$id`, `new` makes one. */
export const fieldRoutes = [fields, field, valueLists, valueList, forms, form] as const
