import { lazy } from 'react'
import { apiClient } from '../../../api/client.ts'
import { PHONE_SETTING_POINTERS } from '../phones/setting-pointers.ts'
import { defineMessageChannel } from '../write/channel.ts'
import { NOTIFICATION_TIME_POINTERS, type NotificationForm, notificationDocumentKind } from './notification-kind.ts'

const LazyContentFields = lazy(() =>
  import('./NotificationContentFields.tsx').then((module) => ({ default: module.NotificationContentFields })),
)
const LazyPreview = lazy(() =>
  import('./NotificationPreview.tsx').then((module) => ({ default: module.NotificationPreview })),
)
const LazyTest = lazy(() => import('./NotificationTest.tsx').then((module) => ({ default: module.NotificationTest })))
const LazySchedule = lazy(() =>
  import('./NotificationSchedule.tsx').then((module) => ({ default: module.NotificationSchedule })),
)
const LazyRuns = lazy(() => import('./NotificationRuns.tsx').then((module) => ({ default: module.NotificationRuns })))

const buildPathInit = (id: string) => ({ path: { id } })
/** Initial task of a new notification for segments. */
const INITIAL_TASK = { segments: { selected: [], excluded: [] }, scheduler: { type: 'asap' as const } }

export const notificationMessageChannel = defineMessageChannel<NotificationForm>({
  name: 'notification',
  asked: 'notification',
  kind: notificationDocumentKind,
  create: async (name, isCampaign) =>
    (
      await apiClient.createNotification({
        body: { type: 'push-app', name, ...(isCampaign && { task: INITIAL_TASK }) },
      })
    ).id,
  Content: LazyContentFields,
  Preview: LazyPreview,
  Test: LazyTest,
  When: LazySchedule,
  Progress: LazyRuns,
  pointers: [
    ...PHONE_SETTING_POINTERS,
    '/settings/application',
    '/settings/urgent',
    '/settings/expiration',
    '/description',
    ...NOTIFICATION_TIME_POINTERS,
  ],
  segmentsAt: '/task/segments',
  schedulerAt: '/task/scheduler',
  schedules: ['asap', 'scheduled'],
  isCampaign: (value) => value.task?.scheduler != null,
  standing: ({ active }) => ({ state: null, paused: false, active }),
  audience: (id, segments) => apiClient.previewNotificationAudience({ ...buildPathInit(id), body: { segments } }),
  commands: {
    validate: (id) => apiClient.activateNotification(buildPathInit(id)),
    revoke: (id) => apiClient.deactivateNotification(buildPathInit(id)),
  },
})
