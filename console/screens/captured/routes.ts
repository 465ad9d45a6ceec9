import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'
import { CAPTURED_CHANNELS, CAPTURED_MESSAGE_VIEWS, type CapturedSearch } from './address.ts'

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
