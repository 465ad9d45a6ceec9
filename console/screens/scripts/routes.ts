import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

export interface ScriptListSearch {
  q?: string | undefined
}

const parseListSearch = (search: Record<string, unknown>): ScriptListSearch =>
  typeof search['q'] === 'string' ? { q: search['q'] } : {}

export interface WebtaskPageSearch {
  tab?: 'runs' | 'tokens' | undefined
}

const webtasksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webtasks',
  validateSearch: parseListSearch,
  component: lazyRouteComponent(() => import('./webtasks/WebtasksPage.tsx'), 'WebtasksPage'),
})

const webtaskRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webtasks/$id',
  validateSearch: ({ tab }: Record<string, unknown>): WebtaskPageSearch =>
    tab === 'runs' || tab === 'tokens' ? { tab } : {},
  component: lazyRouteComponent(() => import('./webtasks/WebtaskPage.tsx'), 'WebtaskPage'),
})

const compilablesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/compilables',
  validateSearch: parseListSearch,
  component: lazyRouteComponent(() => import('./CompilablesPage.tsx'), 'CompilablesPage'),
})

const compilableRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/compilables/$id',
  component: lazyRouteComponent(() => import('./CompilablePage.tsx'), 'CompilablePage'),
})

/** `new` as `$id` creates a document. */
export const scriptPageRoutes = [webtasksRoute, webtaskRoute, compilablesRoute, compilableRoute] as const
