import { lazy } from 'react'
import { api, data } from '../../../api/client.ts'
import { SETTING_POINTERS } from '../phones/setting-pointers.ts'
import { rcsVersions } from '../versions/kinds.ts'
import { defineChannel } from '../write/channel.ts'
import { type RcsAction, rcsKind } from './rcs-kind.ts'

const Content = lazy(() => import('./RcsContent.tsx').then((module) => ({ default: module.RcsContent })))
const Preview = lazy(() => import('./RcsPreview.tsx').then((module) => ({ default: module.RcsPreview })))
const Test = lazy(() => import('./RcsTest.tsx').then((module) => ({ default: module.RcsTest })))

const at = (id: string) => ({ params: { path: { id } } })

export const rcs = defineChannel<RcsAction>({
  ...{ name: 'rcs', asked: 'rcs', kind: rcsKind },
  create: async (name, isCampaign) =>
    (await data(api.POST('/channel/rcs/actions', { body: { type: isCampaign ? 'rcsCampaign' : 'rcsMessage', name } })))
      .id,
  ...{ Content, Preview, Test, versions: rcsVersions },
  pointers: [
    ...SETTING_POINTERS,
    ...['/content/text', '/fallback/text', '/fallback/sender', '/fallback/after', '/settings/profile'],
    ...['/settings/expiration', '/settings/trafficType'],
  ],
  ...{ segmentsAt: '/scheduler/segments', schedulerAt: '/scheduler' },
  schedules: ['asap', 'scheduled', 'timeZoneSchedule', 'bestTime'],
  isFree: true,
  isCampaign: ({ type }) => type === 'rcsCampaign',
  standing: ({ state, informations: { paused } }) => ({ state, paused, active: null }),
  audience: (id, segments) => data(api.POST('/channel/rcs/actions/{id}/audience', { ...at(id), body: { segments } })),
  commands: {
    validate: (id) => data(api.POST('/channel/rcs/actions/{id}/validation', { ...at(id), body: {} })),
    revoke: (id) => data(api.DELETE('/channel/rcs/actions/{id}/validation', at(id))),
    pause: (id) => data(api.POST('/channel/rcs/actions/{id}/pause', at(id))),
    resume: (id) => data(api.DELETE('/channel/rcs/actions/{id}/pause', at(id))),
  },
})
