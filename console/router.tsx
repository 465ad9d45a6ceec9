import { createRouter } from '@tanstack/react-router'
import { accountBasePath } from './api/client.ts'
import { NotFoundPage } from './components/layout/NotFoundPage.tsx'
import { rootRoute, ScreenError } from './layout/root.tsx'
import { redirectRoutes } from './redirects.ts'
import { allMessagesPageRoutes } from './screens/all-messages/routes.ts'
import { applicationPageRoutes } from './screens/applications/routes.ts'
import { campaignPageRoutes } from './screens/campaigns/routes.ts'
import { capturedPageRoutes } from './screens/captured/routes.ts'
import { contactPageRoutes } from './screens/contacts/routes.ts'
import { deliverabilityPageRoutes } from './screens/deliverability/routes.ts'
import { designPageRoutes } from './screens/designs/routes.ts'
import { developerPageRoutes } from './screens/developers/routes.ts'
import { displayPageRoutes } from './screens/display/routes.ts'
import { fieldPageRoutes } from './screens/fields/routes.ts'
import { gatewayPageRoutes } from './screens/gateways/routes.ts'
import { homePageRoutes } from './screens/home/routes.ts'
import { importPageRoutes } from './screens/imports/routes.ts'
import { mediaPageRoutes } from './screens/media/routes.ts'
import { reportPageRoutes } from './screens/messages/report/routes.ts'
import { messagePageRoutes } from './screens/messages/routes.ts'
import { pressurePageRoutes } from './screens/pressure/routes.ts'
import { rcsPageRoutes } from './screens/rcs/routes.ts'
import { reviewPageRoutes } from './screens/review/routes.ts'
import { scriptPageRoutes } from './screens/scripts/routes.ts'
import { segmentPageRoutes } from './screens/segments/routes.ts'
import { setUpPageRoutes } from './screens/set-up/routes.ts'
import { settingsPageRoutes } from './screens/settings/routes.ts'
import { workflowPageRoutes } from './screens/workflows/routes.ts'

/** Every screen of an account; a screen is a row here, its paths are in its own folder. */
const routeTree = rootRoute.addChildren([
  ...homePageRoutes,
  ...contactPageRoutes,
  ...segmentPageRoutes,
  ...fieldPageRoutes,
  ...pressurePageRoutes,
  ...importPageRoutes,
  ...allMessagesPageRoutes,
  ...messagePageRoutes,
  ...campaignPageRoutes,
  ...designPageRoutes,
  ...mediaPageRoutes,
  ...displayPageRoutes,
  ...scriptPageRoutes,
  ...setUpPageRoutes,
  ...settingsPageRoutes,
  ...gatewayPageRoutes,
  ...capturedPageRoutes,
  ...applicationPageRoutes,
  ...rcsPageRoutes,
  ...reportPageRoutes,
  ...reviewPageRoutes,
  ...deliverabilityPageRoutes,
  ...developerPageRoutes,
  ...workflowPageRoutes,
  ...redirectRoutes,
])

export const consoleRouter = createRouter({
  routeTree,
  basepath: accountBasePath,
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenError,
  defaultNotFoundComponent: NotFoundPage,
  defaultPendingMs: 150,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof consoleRouter
  }
}
