import { lazy } from 'react'
import { type Action, actionKind, actionParts, createAction } from '../action.ts'
import { SETTING_POINTERS } from '../phones/setting-pointers.ts'
import { smsVersions } from '../versions/kinds.ts'
import { defineChannel } from '../write/channel.ts'

const Content = lazy(() => import('./SmsContent.tsx').then((module) => ({ default: module.SmsContent })))
const Preview = lazy(() => import('./SmsPreview.tsx').then((module) => ({ default: module.SmsPreview })))
const Test = lazy(() => import('./SmsTest.tsx').then((module) => ({ default: module.SmsTest })))

/** An empty sender is that of the profile, an empty culture that of the account. */
const withSender = (action: Action): Action => ({
  ...action,
  settings: {
    ...action.settings,
    ...{ sender: action.settings.sender || null, culture: action.settings.culture || null },
  } as Action['settings'],
})

export const sms = defineChannel<Action>({
  ...actionParts,
  name: 'sms',
  kind: { ...actionKind, replace: (id, action, headers) => actionKind.replace(id, withSender(action), headers) },
  create: (name, isCampaign) => createAction(isCampaign ? 'smsCampaign' : 'smsMessage', name),
  ...{ Content, Preview, Test, versions: smsVersions },
  pointers: [
    ...SETTING_POINTERS,
    ...['/content/textContent', '/settings/sender', '/settings/smsFormat', '/settings/smsType'],
    ...['/settings/sendingProfile', '/settings/webAnalyser'],
  ],
})
