import { lazy } from 'react'
import { type ApiAction, actionChannelParts, createApiAction } from '../action.ts'
import { emailVersionKind } from '../versions/kinds.ts'
import { defineMessageChannel } from '../write/channel.ts'

const LazyEmailContent = lazy(() => import('./EmailContent.tsx').then((module) => ({ default: module.EmailContent })))
const LazyEmailPreview = lazy(() => import('./EmailPreview.tsx').then((module) => ({ default: module.EmailPreview })))
const LazyEmailFacts = lazy(() =>
  import('./EmailReviewFacts.tsx').then((module) => ({ default: module.EmailReviewFacts })),
)
const LazyEmailTest = lazy(() => import('./EmailTest.tsx').then((module) => ({ default: module.EmailTest })))

/** Pointers that the content's fields stand at. */
const CONTENT_POINTERS = [
  '/name',
  '/informations/category',
  '/settings/purpose/type',
  '/settings/sendingProfile',
  '/settings/mp/topic',
  '/settings/contentFormat',
  '/content/subject',
  '/content/html',
  '/content/text',
  '/content/design/preheader',
  '/content/headers/from/label',
  '/content/headers/from/prefix',
  '/content/headers/from/domain',
  '/content/headers/reply',
]

export const emailMessageChannel = defineMessageChannel<ApiAction>({
  ...actionChannelParts,
  name: 'email',
  create: (name, isCampaign, startContent) =>
    createApiAction(isCampaign ? 'mailCampaign' : 'mailMessage', name, startContent),
  Content: LazyEmailContent,
  Preview: LazyEmailPreview,
  Facts: LazyEmailFacts,
  Test: LazyEmailTest,
  versions: emailVersionKind,
  pointers: CONTENT_POINTERS,
})
