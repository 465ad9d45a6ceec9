import { createRouter } from '@tanstack/react-router'
import { base } from './api/client.ts'
import { Missing } from './components/layout/Missing.tsx'
import { Broken, root } from './layout/root.tsx'
import { applicationRoutes } from './screens/applications/routes.ts'
import { campaignRoutes } from './screens/campaigns/routes.ts'
import { capturedRoutes } from './screens/captured/routes.ts'
import { contactRoutes } from './screens/contacts/routes.ts'
import { deliverabilityRoutes } from './screens/deliverability/routes.ts'
import { designRoutes } from './screens/designs/routes.ts'
import { developerRoutes } from './screens/developers/routes.ts'
import { displayRoutes } from './screens/display/routes.ts'
import { fieldRoutes } from './screens/fields/routes.ts'
import { gatewayRoutes } from './screens/gateways/routes.ts'
import { homeRoutes } from './screens/home/routes.ts'
import { importRoutes } from './screens/imports/routes.ts'
import { mediaRoutes } from './screens/media/routes.ts'
import { reportRoutes } from './screens/messages/report/routes.ts'
import { messageRoutes } from './screens/messages/routes.ts'
import { pressureRoutes } from './screens/pressure/routes.ts'
import { rcsRoutes } from './screens/rcs/routes.ts'
import { reviewRoutes } from './screens/review/routes.ts'
import { scriptRoutes } from './screens/scripts/routes.ts'
import { segmentRoutes } from './screens/segments/routes.ts'
import { setUpRoutes } from './screens/set-up/routes.ts'
import { settingsRoutes } from './screens/settings/routes.ts'
import { workflowRoutes } from './screens/workflows/routes.ts'

/** Every screen of an account; a screen is a row here, its paths are in its own folder. */
const routeTree = root.addChildren([
  ...homeRoutes,
  ...contactRoutes,
  ...segmentRoutes,
  ...fieldRoutes,
  ...pressureRoutes,
  ...importRoutes,
  ...messageRoutes,
  ...campaignRoutes,
  ...designRoutes,
  ...mediaRoutes,
  ...displayRoutes,
  ...scriptRoutes,
  ...setUpRoutes,
  ...settingsRoutes,
  ...gatewayRoutes,
  ...capturedRoutes,
  ...applicationRoutes,
  ...rcsRoutes,
  ...reportRoutes,
  ...reviewRoutes,
  ...deliverabilityRoutes,
  ...developerRoutes,
  ...workflowRoutes,
])

export const router = createRouter({
  routeTree,
  basepath: base,
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: Missing,
  defaultPendingMs: 150,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
