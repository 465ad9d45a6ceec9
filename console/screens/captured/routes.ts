import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'

export const CAPTURED_CHANNELS = ['email', 'sms', 'rcs', 'notification'] as const
export const CAPTURED_MESSAGE_VIEWS = ['message', 'headers', 'source'] as const

export interface CapturedSearch {
  /** Which one is read. */
  id?: string
  channel?: (typeof CAPTURED_CHANNELS)[number]
  q?: string
  view?: (typeof CAPTURED_MESSAGE_VIEWS)[number]
}

const captured = createRoute({
  getParentRoute: () => rootRoute,
  path: '/captured',
  validateSearch: ({ id, channel, q, view }: Record<string, unknown>): CapturedSearch => {
    const known = CAPTURED_CHANNELS.find((one) => one === channel)
    const shown = CAPTURED_MESSAGE_VIEWS.find((one) => one === view)
    return {
      ...(typeof id === 'string' && { id }),
      ...(known && { channel: known }),
      ...(q !== undefined && q !== '' && { q: String(q) }),
      ...(shown && shown !== 'message' && { view: shown }),
    }
  },
  component: lazyRouteComponent(() => import('./CapturedPage.tsx'), 'CapturedPage'),
})

export const capturedPageRoutes = [captured] as const
