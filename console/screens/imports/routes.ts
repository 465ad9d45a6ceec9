import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

/** The run of an import to show; defaults to the newest one. */
export interface ImportSearch {
  run?: number
}

const importsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports',
  component: lazyRouteComponent(() => import('./ImportsPage.tsx'), 'ImportsPage'),
})

const newImportRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports/new',
  component: lazyRouteComponent(() => import('./NewImportPage.tsx'), 'NewImportPage'),
})

const importRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports/$id',
  validateSearch: ({ run }: Record<string, unknown>): ImportSearch =>
    Number.isInteger(run) ? { run: Number(run) } : {},
  component: lazyRouteComponent(() => import('./ImportPage.tsx'), 'ImportPage'),
})

const importSettingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports/$id/settings',
  component: lazyRouteComponent(() => import('./settings/ImportSettings.tsx'), 'ImportSettings'),
})

const importFormatsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports/formats',
  component: lazyRouteComponent(() => import('./formats/ImportFormatsPage.tsx'), 'ImportFormatsPage'),
})

const importFormatRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports/formats/$id',
  component: lazyRouteComponent(() => import('./formats/ImportFormatPage.tsx'), 'ImportFormatPage'),
})

/** `new` as the id of a format creates one. */
export const importPageRoutes = [
  importsRoute,
  newImportRoute,
  importRoute,
  importSettingsRoute,
  importFormatsRoute,
  importFormatRoute,
] as const
