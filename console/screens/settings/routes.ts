import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

const createSettingsRoute = <const P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => rootRoute, path, component })

export const settingsPageRoutes = [
  createSettingsRoute(
    '/settings',
    lazyRouteComponent(() => import('./UserProfilePage.tsx'), 'UserProfilePage'),
  ),
  createSettingsRoute(
    '/settings/account',
    lazyRouteComponent(() => import('./AccountSettingsPage.tsx'), 'AccountSettingsPage'),
  ),
  createSettingsRoute(
    '/settings/people',
    lazyRouteComponent(() => import('./AccountUsersPage.tsx'), 'AccountUsersPage'),
  ),
  createSettingsRoute(
    '/settings/sending',
    lazyRouteComponent(() => import('./sending/SendingSettingsPage.tsx'), 'SendingSettingsPage'),
  ),
  createSettingsRoute(
    '/settings/events',
    lazyRouteComponent(() => import('./EventSettingsPage.tsx'), 'EventSettingsPage'),
  ),
  createSettingsRoute(
    '/settings/contacts',
    lazyRouteComponent(() => import('./ContactSettingsPage.tsx'), 'ContactSettingsPage'),
  ),
] as const
