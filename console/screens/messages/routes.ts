import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'
import type { MessagesSearch } from './address.ts'
import { isMessageChannelName, isMessagePhase, MESSAGE_EDITOR_STEPS, type MessageEditorStep } from './names.ts'

const getParentRoute = () => rootRoute

const requireKnownChannel = (channel: string): void => {
  if (!isMessageChannelName(channel)) throw notFound()
}

const messageListRoute = createRoute({
  getParentRoute,
  path: '/messages/$channel',
  beforeLoad: ({ params }) => requireKnownChannel(params.channel),
  validateSearch: ({ q, phase, category, campaign, sort }: Record<string, unknown>): MessagesSearch => ({
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(isMessagePhase(phase) && { phase }),
    ...(Number.isInteger(category) && { category: Number(category) }),
    ...(typeof campaign === 'string' && { campaign }),
    ...(typeof sort === 'string' && { sort }),
  }),
  component: lazyRouteComponent(() => import('./list/ChannelMessagesPage.tsx'), 'ChannelMessagesPage'),
})

const messageEditorRoute = createRoute({
  getParentRoute,
  path: '/messages/$channel/$id',
  beforeLoad: ({ params }) => requireKnownChannel(params.channel),
  validateSearch: ({ step, version }: Record<string, unknown>): { step?: MessageEditorStep; version?: string } => {
    const openStep = MESSAGE_EDITOR_STEPS.find((editorStep) => editorStep === step)
    return {
      ...(openStep !== undefined && { step: openStep }),
      ...(typeof version === 'string' && { version }),
    }
  },
  component: lazyRouteComponent(() => import('./write/MessageEditorPage.tsx'), 'MessageEditorPage'),
})

export const messagePageRoutes = [messageListRoute, messageEditorRoute] as const
