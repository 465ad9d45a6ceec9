import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'

/** Which run of an import is shown; the newest one when absent. */
export interface ImportSearch {
  run?: number
}

const imports = createRoute({
  getParentRoute: () => root,
  path: '/imports',
  component: lazyRouteComponent(() => import('./Imports.tsx'), 'Imports'),
})

const fresh = createRoute({
  getParentRoute: () => root,
  path: '/imports/new',
  component: lazyRouteComponent(() => import('./NewImport.tsx'), 'NewImport'),
})

const one = createRoute({
  getParentRoute: () => root,
  path: '/imports/$id',
  validateSearch: ({ run }: Record<string, unknown>): ImportSearch =>
    Number.isInteger(run) ? { run: Number(run) } : {},
  component: lazyRouteComponent(() => import('./Import.tsx'), 'Import'),
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/imports/$id/settings',
  component: lazyRouteComponent(() => import('./settings/ImportSettings.tsx'), 'ImportSettings'),
})

const formats = createRoute({
  getParentRoute: () => root,
  path: '/imports/formats',
  component: lazyRouteComponent(() => import('./formats/Formats.tsx'), 'Formats'),
})

const format = createRoute({
  getParentRoute: () => root,
  path: '/imports/formats/$id',
  component: lazyRouteComponent(() => import('./formats/Format.tsx'), 'Format'),
})

/** Of a format `new` makes one. */
export const importRoutes = [imports, fresh, one, settings, formats, format] as const
