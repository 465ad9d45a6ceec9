import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

/** Which run of an import is shown; the newest one when absent. */
export interface ImportSearch {
  run?: number
}

const imports = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports',
  component: lazyRouteComponent(() => import('./ImportsPage.tsx'), 'ImportsPage'),
})

const fresh = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports/new',
  component: lazyRouteComponent(() => import('./NewImportPage.tsx'), 'NewImportPage'),
})

const one = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports/$id',
  validateSearch: ({ run }: Record<string, unknown>): ImportSearch =>
    Number.isInteger(run) ? { run: Number(run) } : {},
  component: lazyRouteComponent(() => import('./ImportPage.tsx'), 'ImportPage'),
})

const settings = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports/$id/settings',
  component: lazyRouteComponent(() => import('./settings/ImportSettings.tsx'), 'ImportSettings'),
})

const formats = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports/formats',
  component: lazyRouteComponent(() => import('./formats/ImportFormatsPage.tsx'), 'ImportFormatsPage'),
})

const format = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports/formats/$id',
  component: lazyRouteComponent(() => import('./formats/ImportFormatPage.tsx'), 'ImportFormatPage'),
})

/** Of a format `new` makes one. */
export const importPageRoutes = [imports, fresh, one, settings, formats, format] as const
