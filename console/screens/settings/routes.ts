import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const at = <const P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => rootRoute, path, component })

export const settingsPageRoutes = [
  at(
    '/settings',
    lazyRouteComponent(() => import('./UserProfilePage.tsx'), 'UserProfilePage'),
  ),
  at(
    '/settings/account',
    lazyRouteComponent(() => import('./AccountSettingsPage.tsx'), 'AccountSettingsPage'),
  ),
  at(
    '/settings/people',
    lazyRouteComponent(() => import('./AccountUsersPage.tsx'), 'AccountUsersPage'),
  ),
  at(
    '/settings/sending',
    lazyRouteComponent(() => import('./sending/SendingSettingsPage.tsx'), 'SendingSettingsPage'),
  ),
  at(
    '/settings/events',
    lazyRouteComponent(() => import('./EventSettingsPage.tsx'), 'EventSettingsPage'),
  ),
  at(
    '/settings/contacts',
    lazyRouteComponent(() => import('./ContactSettingsPage.tsx'), 'ContactSettingsPage'),
  ),
] as const
