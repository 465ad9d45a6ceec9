import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'
import { isMessageChannelName, isMessagePhase } from '../messages/names.ts'
import type { AllMessagesSearch } from './address.ts'

const parseSearch = ({ q, channel, phase }: Record<string, unknown>): AllMessagesSearch => ({
  ...(q !== undefined && q !== '' && { q: String(q) }),
  ...(isMessageChannelName(channel) && { channel }),
  ...(isMessagePhase(phase) && { phase }),
})

const campaignListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/messages',
  validateSearch: parseSearch,
  component: lazyRouteComponent(() => import('./AllMessagesPage.tsx'), 'CampaignListPage'),
})

const onDemandListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/messages/on-demand',
  validateSearch: parseSearch,
  component: lazyRouteComponent(() => import('./AllMessagesPage.tsx'), 'OnDemandMessagesPage'),
})

export const allMessagesPageRoutes = [campaignListRoute, onDemandListRoute] as const
