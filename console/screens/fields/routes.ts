import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const getParentRoute = () => rootRoute

const fields = createRoute({
  getParentRoute,
  path: '/fields',
  component: lazyRouteComponent(() => import('./FieldsPage.tsx'), 'FieldsPage'),
})

const field = createRoute({
  getParentRoute,
  path: '/fields/$id',
  component: lazyRouteComponent(() => import('./FieldPage.tsx'), 'FieldPage'),
})

const valueLists = createRoute({
  getParentRoute,
  path: '/value-lists',
  component: lazyRouteComponent(() => import('./FieldsPage.tsx'), 'ValueListsPage'),
})

const valueList = createRoute({
  getParentRoute,
  path: '/value-lists/$id',
  component: lazyRouteComponent(() => import('./ValueListPage.tsx'), 'ValueListPage'),
})

const forms = createRoute({
  getParentRoute,
  path: '/forms',
  component: lazyRouteComponent(() => import('./FieldsPage.tsx'), 'FormsPage'),
})

const form = createRoute({
  getParentRoute,
  path: '/forms/$id',
  component: lazyRouteComponent(() => import('./FormPage.tsx'), 'FormPage'),
})

/** Of `$id`, `new` makes one. */
export const fieldPageRoutes = [fields, field, valueLists, valueList, forms, form] as const
