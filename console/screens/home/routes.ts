import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../frame/root.tsx'

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./Home.tsx'), 'Home'),
})

export const homeRoutes = [home] as const
