import { lazy } from 'react'
import { type ApiAction, actionChannelParts, actionDocumentKind, createApiAction } from '../action.ts'
import { PHONE_SETTING_POINTERS } from '../phones/setting-pointers.ts'
import { smsVersionKind } from '../versions/kinds.ts'
import { defineMessageChannel } from '../write/channel.ts'

const LazySmsContent = lazy(() =>
  import('./SmsContentEditor.tsx').then((module) => ({ default: module.SmsContentEditor })),
)
const LazySmsPreview = lazy(() => import('./SmsPreview.tsx').then((module) => ({ default: module.SmsPreview })))
const LazySmsTest = lazy(() => import('./SmsTest.tsx').then((module) => ({ default: module.SmsTest })))

/** An empty sender is that of the profile, an empty culture that of the account. */
const omitEmptySender = (action: ApiAction): ApiAction => ({
  ...action,
  settings: {
    ...action.settings,
    sender: action.settings.sender || null,
    culture: action.settings.culture || null,
  } as ApiAction['settings'],
})

export const smsMessageChannel = defineMessageChannel<ApiAction>({
  ...actionChannelParts,
  name: 'sms',
  kind: {
    ...actionDocumentKind,
    replace: (id, action, headers) => actionDocumentKind.replace(id, omitEmptySender(action), headers),
  },
  create: (name, isCampaign) => createApiAction(isCampaign ? 'smsCampaign' : 'smsMessage', name),
  Content: LazySmsContent,
  Preview: LazySmsPreview,
  Test: LazySmsTest,
  versions: smsVersionKind,
  pointers: [
    ...PHONE_SETTING_POINTERS,
    '/content/textContent',
    '/settings/sender',
    '/settings/smsFormat',
    '/settings/smsType',
    '/settings/sendingProfile',
    '/settings/webAnalyser',
  ],
})
