import { lazy } from 'react'
import { apiClient, readAnswer } from '../../../api/client.ts'
import { PHONE_SETTING_POINTERS } from '../phones/setting-pointers.ts'
import { defineMessageChannel } from '../write/channel.ts'
import { NOTIFICATION_TIME_POINTERS, type NotificationForm, notificationDocumentKind } from './notification-kind.ts'

const Content = lazy(() =>
  import('./NotificationContentFields.tsx').then((module) => ({ default: module.NotificationContentFields })),
)
const Preview = lazy(() =>
  import('./NotificationPreview.tsx').then((module) => ({ default: module.NotificationPreview })),
)
const Test = lazy(() => import('./NotificationTest.tsx').then((module) => ({ default: module.NotificationTest })))
const When = lazy(() =>
  import('./NotificationSchedule.tsx').then((module) => ({ default: module.NotificationSchedule })),
)
const Progress = lazy(() => import('./NotificationRuns.tsx').then((module) => ({ default: module.NotificationRuns })))

const at = (id: string) => ({ params: { path: { id } } })
/** What a new one that goes to segments begins with. */
const task = { segments: { selected: [], excluded: [] }, scheduler: { type: 'asap' as const } }

export const notificationMessageChannel = defineMessageChannel<NotificationForm>({
  ...{ name: 'notification', asked: 'notification', kind: notificationDocumentKind },
  create: async (name, isCampaign) =>
    (
      await readAnswer(
        apiClient.POST('/notifications', { body: { type: 'push-app', name, ...(isCampaign && { task }) } }),
      )
    ).id,
  ...{ Content, Preview, Test },
  ...{ When, Progress },
  pointers: [
    ...PHONE_SETTING_POINTERS,
    ...['/settings/application', '/settings/urgent', '/settings/expiration', '/description'],
    ...NOTIFICATION_TIME_POINTERS,
  ],
  ...{ segmentsAt: '/task/segments', schedulerAt: '/task/scheduler' },
  schedules: ['asap', 'scheduled'],
  isCampaign: (value) => value.task?.scheduler != null,
  standing: ({ active }) => ({ state: null, paused: false, active }),
  audience: (id, segments) =>
    readAnswer(apiClient.POST('/notifications/{id}/audience', { ...at(id), body: { segments } })),
  commands: {
    validate: (id) => readAnswer(apiClient.POST('/notifications/{id}/activation', at(id))),
    revoke: (id) => readAnswer(apiClient.DELETE('/notifications/{id}/activation', at(id))),
  },
})
