import { lazy } from 'react'
import { type Action, actionParts, createAction } from '../action.ts'
import { emailVersions } from '../versions/kinds.ts'
import { defineChannel } from '../write/channel.ts'

const Content = lazy(() => import('./Content.tsx').then((module) => ({ default: module.Content })))
const Preview = lazy(() => import('./Preview.tsx').then((module) => ({ default: module.Preview })))
const Test = lazy(() => import('./Test.tsx').then((module) => ({ default: module.Test })))

/** Pointers that the content's fields stand at. */
const POINTERS = [
  ...['/name', '/informations/category', '/settings/purpose/type', '/settings/sendingProfile', '/settings/mp/topic'],
  ...['/settings/contentFormat', '/content/subject', '/content/html', '/content/text', '/content/design/preheader'],
  ...['/content/headers/from/label', '/content/headers/from/prefix', '/content/headers/from/domain'],
  '/content/headers/reply',
]

export const email = defineChannel<Action>({
  ...actionParts,
  name: 'email',
  create: (name, isCampaign, begun) => createAction(isCampaign ? 'mailCampaign' : 'mailMessage', name, begun),
  ...{ Content, Preview, Test, versions: emailVersions },
  pointers: POINTERS,
})
