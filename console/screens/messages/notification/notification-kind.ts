import { useQuery } from '@tanstack/react-query'
import { apiClient, readVersionedAnswer } from '../../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../../api/shapes.ts'
import type { MessageDocumentKind } from '../write/channel.ts'

type NotificationAnswer = ApiAnswer<'getNotification'>
type NotificationAnswerVersion = NotificationAnswer['versions'][number]
/** One that was never saved has no id yet. */
export type NotificationVersionForm = Omit<NotificationAnswerVersion, 'id'> & { id?: string }
export type NotificationForm = Omit<NotificationAnswer, 'versions'> & { versions: NotificationVersionForm[] }

export const blankNotificationVersion: NotificationVersionForm = {
  name: null,
  master: false,
  condition: null,
  redirection: null,
  channel: null,
  content: { title: '', body: '', icon: null, thumbnail: null, image: null, buttons: [] },
}

/** An empty target counts as absent. */
const omitEmptyTarget = <T extends { value: string }>(target: T | null): T | null => (target?.value ? target : null)

/** A version as it is sent and rendered. */
export const tidyNotificationVersion = (version: NotificationVersionForm): NotificationVersionForm => ({
  ...version,
  name: version.name || null,
  condition: version.condition || null,
  redirection: omitEmptyTarget(version.redirection),
  channel: omitEmptyTarget(version.channel),
  content: {
    ...version.content,
    icon: version.content.icon || null,
    image: version.content.image || null,
    thumbnail: version.content.thumbnail || null,
    buttons: version.content.buttons.map((button) => ({ ...button, redirection: omitEmptyTarget(button.redirection) })),
  },
})

const buildBody = ({ settings, versions, ...otherMembers }: NotificationForm) =>
  ({
    ...otherMembers,
    settings: { ...settings, culture: settings.culture || null },
    versions: versions.map(tidyNotificationVersion),
  }) as ApiRequestBody<'updateNotification'>

export const notificationDocumentKind: MessageDocumentKind<NotificationForm> = {
  name: 'notification',
  read: (id, init) => readVersionedAnswer(apiClient.getNotification, { path: { id }, ...init }),
  replace: (id, value, headers) =>
    readVersionedAnswer(apiClient.updateNotification, { path: { id }, headers, body: buildBody(value) }),
  remove: (id) => apiClient.deleteNotification({ path: { id } }),
}

/** The applications of the account, with their routes and channels. */
export const useApplications = () =>
  useQuery({
    queryKey: ['applications'],
    queryFn: ({ signal }) => apiClient.listApplications({ signal }),
  })

/** Fields of a cron schedule. */
export const CRON_FIELDS = ['minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'] as const

/** Pointers of the fields that say when it goes. */
export const NOTIFICATION_TIME_POINTERS = ['type', 'startDate', 'timeZone/id', ...CRON_FIELDS].map(
  (member) => `/task/scheduler/${member}`,
)
