import { lazy } from 'react'
import { api, data } from '../../../api/client.ts'
import { SETTING_POINTERS } from '../phones/setting-pointers.ts'
import { defineChannel } from '../write/channel.ts'
import { type Notification, notificationKind, SCHEDULE_POINTERS } from './notification-kind.ts'

const Content = lazy(() =>
  import('./NotificationContent.tsx').then((module) => ({ default: module.NotificationContent })),
)
const Preview = lazy(() =>
  import('./NotificationPreview.tsx').then((module) => ({ default: module.NotificationPreview })),
)
const Test = lazy(() => import('./NotificationTest.tsx').then((module) => ({ default: module.NotificationTest })))
const When = lazy(() => import('./NotificationWhen.tsx').then((module) => ({ default: module.NotificationWhen })))
const Progress = lazy(() => import('./NotificationRuns.tsx').then((module) => ({ default: module.NotificationRuns })))

const at = (id: string) => ({ params: { path: { id } } })
/** What a new one that goes to segments begins with. */
const task = { segments: { selected: [], excluded: [] }, scheduler: { type: 'asap' as const } }

export const notification = defineChannel<Notification>({
  ...{ name: 'notification', asked: 'notification', kind: notificationKind },
  create: async (name, isCampaign) =>
    (await data(api.POST('/notifications', { body: { type: 'push-app', name, ...(isCampaign && { task }) } }))).id,
  ...{ Content, Preview, Test },
  ...{ When, Progress },
  pointers: [
    ...SETTING_POINTERS,
    ...['/settings/application', '/settings/urgent', '/settings/expiration', '/description'],
    ...SCHEDULE_POINTERS,
  ],
  ...{ segmentsAt: '/task/segments', schedulerAt: '/task/scheduler' },
  schedules: ['asap', 'scheduled'],
  isCampaign: (value) => value.task?.scheduler != null,
  standing: ({ active }) => ({ state: null, paused: false, active }),
  audience: (id, segments) => data(api.POST('/notifications/{id}/audience', { ...at(id), body: { segments } })),
  commands: {
    validate: (id) => data(api.POST('/notifications/{id}/activation', at(id))),
    revoke: (id) => data(api.DELETE('/notifications/{id}/activation', at(id))),
  },
})
