import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'
import {
  isMessageChannelName,
  isMessagePhase,
  MESSAGE_EDITOR_STEPS,
  type MessageEditorStep,
  type MessagePhase,
} from './names.ts'

const getParentRoute = () => rootRoute

/** What is sought in the list. */
export interface MessagesSearch {
  q?: string | undefined
  phase?: MessagePhase | undefined
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
  if (!isMessageChannelName(channel)) throw notFound()
}

const list = createRoute({
  getParentRoute,
  path: '/messages/$channel',
  beforeLoad: ({ params }) => known(params.channel),
  validateSearch: ({ q, phase, category, campaign, sort }: Record<string, unknown>): MessagesSearch => ({
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(isMessagePhase(phase) && { phase }),
    ...(Number.isInteger(category) && { category: Number(category) }),
    ...(typeof campaign === 'string' && { campaign }),
    ...(typeof sort === 'string' && { sort }),
  }),
  component: lazyRouteComponent(() => import('./list/ChannelMessagesPage.tsx'), 'ChannelMessagesPage'),
})

const write = createRoute({
  getParentRoute,
  path: '/messages/$channel/$id',
  beforeLoad: ({ params }) => known(params.channel),
  validateSearch: ({ step, version }: Record<string, unknown>): { step?: MessageEditorStep; version?: string } => {
    const open = MESSAGE_EDITOR_STEPS.find((one) => one === step)
    return {
      ...(open !== undefined && { step: open }),
      ...(typeof version === 'string' && { version }),
    }
  },
  component: lazyRouteComponent(() => import('./write/MessageEditorPage.tsx'), 'MessageEditorPage'),
})

export const messagePageRoutes = [home, list, write] as const
