import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

export const CAPTURED_CHANNELS = ['email', 'sms', 'rcs', 'notification'] as const
export const CAPTURED_MESSAGE_VIEWS = ['message', 'headers', 'source'] as const

export interface CapturedSearch {
  /** Id of the open message. */
  id?: string
  channel?: (typeof CAPTURED_CHANNELS)[number]
  q?: string
  view?: (typeof CAPTURED_MESSAGE_VIEWS)[number]
}

const capturedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/captured',
  validateSearch: ({ id, channel, q, view }: Record<string, unknown>): CapturedSearch => {
    const knownChannel = CAPTURED_CHANNELS.find((candidate) => candidate === channel)
    const knownView = CAPTURED_MESSAGE_VIEWS.find((candidate) => candidate === view)
    return {
      ...(typeof id === 'string' && { id }),
      ...(knownChannel && { channel: knownChannel }),
      ...(q !== undefined && q !== '' && { q: String(q) }),
      ...(knownView && knownView !== 'message' && { view: knownView }),
    }
  },
  component: lazyRouteComponent(() => import('./CapturedPage.tsx'), 'CapturedPage'),
})

export const capturedPageRoutes = [capturedRoute] as const
