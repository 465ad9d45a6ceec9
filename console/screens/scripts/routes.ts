import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'

export interface ListSearch {
  q?: string | undefined
}

const readList = (search: Record<string, unknown>): ListSearch =>
  typeof search['q'] === 'string' ? { q: search['q'] } : {}

export interface WebtaskSearch {
  tab?: 'runs' | 'tokens' | undefined
}

const webtasks = createRoute({
  getParentRoute: () => root,
  path: '/webtasks',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./webtasks/Webtasks.tsx'), 'Webtasks'),
})

const webtask = createRoute({
  getParentRoute: () => root,
  path: '/webtasks/$id',
  validateSearch: ({ tab }: Record<string, unknown>): WebtaskSearch =>
    tab === 'runs' || tab === 'tokens' ? { tab } : {},
  component: lazyRouteComponent(() => import('./webtasks/Webtask.tsx'), 'Webtask'),
})

const compilables = createRoute({
  getParentRoute: () => root,
  path: '/compilables',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./Compilables.tsx'), 'Compilables'),
})

const compilable = createRoute({
  getParentRoute: () => root,
  path: '/compilables/$id',
  component: lazyRouteComponent(() => import('./Compilable.tsx'), 'Compilable'),
})

/** Of `$id`, `new` makes one. */
export const scriptRoutes = [webtasks, webtask, compilables, compilable] as const
