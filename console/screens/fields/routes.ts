import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const getRootRoute = () => rootRoute

const fieldsRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/fields',
  component: lazyRouteComponent(() => import('./FieldsPage.tsx'), 'FieldsPage'),
})

const fieldRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/fields/$id',
  component: lazyRouteComponent(() => import('./FieldPage.tsx'), 'FieldPage'),
})

const valueListsRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/value-lists',
  component: lazyRouteComponent(() => import('./FieldsPage.tsx'), 'ValueListsPage'),
})

const valueListRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/value-lists/$id',
  component: lazyRouteComponent(() => import('./ValueListPage.tsx'), 'ValueListPage'),
})

const formsRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/forms',
  component: lazyRouteComponent(() => import('./FieldsPage.tsx'), 'FormsPage'),
})

const formRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/forms/$id',
  component: lazyRouteComponent(() => import('./FormPage.tsx'), 'FormPage'),
})

/** `new` as `$id` creates an object. */
export const fieldPageRoutes = [
  fieldsRoute,
  fieldRoute,
  valueListsRoute,
  valueListRoute,
  formsRoute,
  formRoute,
] as const
