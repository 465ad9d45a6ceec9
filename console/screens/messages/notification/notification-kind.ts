import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer, readVersionedAnswer } from '../../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../../api/shapes.ts'
import type { MessageDocumentKind } from '../write/channel.ts'

type Shown = ApiAnswer<'/notifications/{id}', 'get'>
type ShownVersion = Shown['versions'][number]
/** One that was never saved has no id yet. */
export type NotificationVersionForm = Omit<ShownVersion, 'id'> & { id?: string }
export type NotificationForm = Omit<Shown, 'versions'> & { versions: NotificationVersionForm[] }

export const blankNotificationVersion: NotificationVersionForm = {
  ...{ name: null, master: false, condition: null, redirection: null, channel: null },
  content: { title: '', body: '', icon: null, thumbnail: null, image: null, buttons: [] },
}

/** A target with nothing in it is none. */
const filled = <T extends { value: string }>(target: T | null): T | null => (target?.value ? target : null)

/** A version as it is sent and rendered. */
export const tidyNotificationVersion = (version: NotificationVersionForm): NotificationVersionForm => ({
  ...version,
  ...{ name: version.name || null, condition: version.condition || null },
  ...{ redirection: filled(version.redirection), channel: filled(version.channel) },
  content: {
    ...version.content,
    ...{ icon: version.content.icon || null, image: version.content.image || null },
    thumbnail: version.content.thumbnail || null,
    buttons: version.content.buttons.map((button) => ({ ...button, redirection: filled(button.redirection) })),
  },
})

const bodyOf = ({ settings, versions, ...rest }: NotificationForm) =>
  ({
    ...rest,
    settings: { ...settings, culture: settings.culture || null },
    versions: versions.map(tidyNotificationVersion),
  }) as ApiRequestBody<'/notifications/{id}', 'put'>

export const notificationDocumentKind: MessageDocumentKind<NotificationForm> = {
  name: 'notification',
  read: (id, init) => readVersionedAnswer(apiClient.GET('/notifications/{id}', { params: { path: { id } }, ...init })),
  replace: (id, value, headers) =>
    readVersionedAnswer(
      apiClient.PUT('/notifications/{id}', { params: { path: { id } }, headers, body: bodyOf(value) }),
    ),
  remove: (id) => readAnswer(apiClient.DELETE('/notifications/{id}', { params: { path: { id } } })),
}

/** The applications of the account, with their routes and channels. */
export const useApplications = () =>
  useQuery({
    queryKey: ['applications'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/parameters/applications', { signal })),
  })

/** What cron has. */
export const CRON_FIELDS = ['minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'] as const

/** Pointers of the fields that say when it goes. */
export const NOTIFICATION_TIME_POINTERS = ['type', 'startDate', 'timeZone/id', ...CRON_FIELDS].map(
  (member) => `/task/scheduler/${member}`,
)
