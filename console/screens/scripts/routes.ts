import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

export interface ScriptListSearch {
  q?: string | undefined
}

const readList = (search: Record<string, unknown>): ScriptListSearch =>
  typeof search['q'] === 'string' ? { q: search['q'] } : {}

export interface WebtaskPageSearch {
  tab?: 'runs' | 'tokens' | undefined
}

const webtasks = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webtasks',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./webtasks/WebtasksPage.tsx'), 'WebtasksPage'),
})

const webtask = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webtasks/$id',
  validateSearch: ({ tab }: Record<string, unknown>): WebtaskPageSearch =>
    tab === 'runs' || tab === 'tokens' ? { tab } : {},
  component: lazyRouteComponent(() => import('./webtasks/WebtaskPage.tsx'), 'WebtaskPage'),
})

const compilables = createRoute({
  getParentRoute: () => rootRoute,
  path: '/compilables',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./CompilablesPage.tsx'), 'CompilablesPage'),
})

const compilable = createRoute({
  getParentRoute: () => rootRoute,
  path: '/compilables/$id',
  component: lazyRouteComponent(() => import('./CompilablePage.tsx'), 'CompilablePage'),
})

/** Of `$id`, `new` makes one. */
export const scriptPageRoutes = [webtasks, webtask, compilables, compilable] as const
