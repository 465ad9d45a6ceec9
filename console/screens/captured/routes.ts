import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'

export const CHANNELS = ['email', 'sms', 'rcs', 'notification'] as const
export const VIEWS = ['message', 'headers', 'source'] as const

export interface CapturedSearch {
  /** Which one is read. */
  id?: string
  channel?: (typeof CHANNELS)[number]
  q?: string
  view?: (typeof VIEWS)[number]
}

const captured = createRoute({
  getParentRoute: () => root,
  path: '/captured',
  validateSearch: ({ id, channel, q, view }: Record<string, unknown>): CapturedSearch => {
    const known = CHANNELS.find((one) => one === channel)
    const shown = VIEWS.find((one) => one === view)
    return {
      ...(typeof id === 'string' && { id }),
      ...(known && { channel: known }),
      ...(q !== undefined && q !== '' && { q: String(q) }),
      ...(shown && shown !== 'message' && { view: shown }),
    }
  },
  component: lazyRouteComponent(() => import('./CapturedPage.tsx'), 'CapturedPage'),
})

export const capturedRoutes = [captured] as const
