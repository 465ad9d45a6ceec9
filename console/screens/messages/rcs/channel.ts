import { lazy } from 'react'
import { apiClient } from '../../../api/client.ts'
import { PHONE_SETTING_POINTERS } from '../phones/setting-pointers.ts'
import { rcsVersionKind } from '../versions/kinds.ts'
import { defineMessageChannel } from '../write/channel.ts'
import { type ApiRcsAction, rcsDocumentKind } from './rcs-kind.ts'

const LazyRcsContent = lazy(() =>
  import('./RcsContentEditor.tsx').then((module) => ({ default: module.RcsContentEditor })),
)
const LazyRcsPreview = lazy(() =>
  import('./RcsContentPreview.tsx').then((module) => ({ default: module.RcsContentPreview })),
)
const LazyRcsTest = lazy(() => import('./RcsTest.tsx').then((module) => ({ default: module.RcsTest })))

const buildPathInit = (id: string) => ({ path: { id } })

export const rcsMessageChannel = defineMessageChannel<ApiRcsAction>({
  name: 'rcs',
  asked: 'rcs',
  kind: rcsDocumentKind,
  create: async (name, isCampaign) =>
    (await apiClient.createRcsAction({ body: { type: isCampaign ? 'rcsCampaign' : 'rcsMessage', name } })).id,
  Content: LazyRcsContent,
  Preview: LazyRcsPreview,
  Test: LazyRcsTest,
  versions: rcsVersionKind,
  pointers: [
    ...PHONE_SETTING_POINTERS,
    '/content/text',
    '/fallback/text',
    '/fallback/sender',
    '/fallback/after',
    '/settings/profile',
    '/settings/expiration',
    '/settings/trafficType',
  ],
  segmentsAt: '/scheduler/segments',
  schedulerAt: '/scheduler',
  schedules: ['asap', 'scheduled', 'timeZoneSchedule', 'bestTime'],
  isFree: true,
  isCampaign: ({ type }) => type === 'rcsCampaign',
  standing: ({ state, informations: { paused } }) => ({ state, paused, active: null }),
  audience: (id, segments) => apiClient.previewRcsActionAudience({ ...buildPathInit(id), body: { segments } }),
  commands: {
    validate: (id) => apiClient.validateRcsAction({ ...buildPathInit(id), body: {} }),
    revoke: (id) => apiClient.unvalidateRcsAction(buildPathInit(id)),
    pause: (id) => apiClient.pauseRcsAction(buildPathInit(id)),
    resume: (id) => apiClient.resumeRcsAction(buildPathInit(id)),
  },
})
