import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'
import { isChannelName, isPhase, type Phase, STEPS, type Step } from './names.ts'

const getParentRoute = () => root

/** What is sought in the list. */
export interface MessagesSearch {
  q?: string | undefined
  phase?: Phase | undefined
  category?: number | undefined
  campaign?: string | undefined
  sort?: string | undefined
}

const home = createRoute({
  getParentRoute,
  path: '/messages',
  beforeLoad: () => {
    throw redirect({ to: '/messages/$channel', params: { channel: 'email' }, replace: true })
  },
})

const known = (channel: string): void => {
  if (!isChannelName(channel)) throw notFound()
}

const list = createRoute({
  getParentRoute,
  path: '/messages/$channel',
  beforeLoad: ({ params }) => known(params.channel),
  validateSearch: ({ q, phase, category, campaign, sort }: Record<string, unknown>): MessagesSearch => ({
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(isPhase(phase) && { phase }),
    ...(Number.isInteger(category) && { category: Number(category) }),
    ...(typeof campaign === 'string' && { campaign }),
    ...(typeof sort === 'string' && { sort }),
  }),
  component: lazyRouteComponent(() => import('./list/Messages.tsx'), 'Messages'),
})

const write = createRoute({
  getParentRoute,
  path: '/messages/$channel/$id',
  beforeLoad: ({ params }) => known(params.channel),
  validateSearch: ({ step, version }: Record<string, unknown>): { step?: Step; version?: string } => {
    const open = STEPS.find((one) => one === step)
    return {
      ...(open !== undefined && { step: open }),
      ...(typeof version === 'string' && { version }),
    }
  },
  component: lazyRouteComponent(() => import('./write/Write.tsx'), 'Write'),
})

export const messageRoutes = [home, list, write] as const
