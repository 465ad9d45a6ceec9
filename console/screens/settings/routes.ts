import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'

const at = <const P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component })

export const settingsRoutes = [
  at(
    '/settings',
    lazyRouteComponent(() => import('./Profile.tsx'), 'Profile'),
  ),
  at(
    '/settings/account',
    lazyRouteComponent(() => import('./AccountSettings.tsx'), 'AccountSettings'),
  ),
  at(
    '/settings/people',
    lazyRouteComponent(() => import('./People.tsx'), 'People'),
  ),
  at(
    '/settings/sending',
    lazyRouteComponent(() => import('./sending/SendingSettings.tsx'), 'SendingSettings'),
  ),
  at(
    '/settings/events',
    lazyRouteComponent(() => import('./EventSettings.tsx'), 'EventSettings'),
  ),
  at(
    '/settings/contacts',
    lazyRouteComponent(() => import('./ContactSettings.tsx'), 'ContactSettings'),
  ),
] as const
