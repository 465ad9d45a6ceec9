import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../frame/root.tsx'

const contacts = createRoute({
  getParentRoute: () => root,
  path: '/contacts',
  component: lazyRouteComponent(() => import('./Contacts.tsx'), 'Contacts'),
})

export const contactRoutes = [contacts] as const
