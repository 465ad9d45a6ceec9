import { useQuery } from '@tanstack/react-query'
import { api, data, versioned } from '../../../api/client.ts'
import type { Answer, Body } from '../../../api/shapes.ts'
import type { DocumentKind } from '../write/channel.ts'

type Shown = Answer<'/notifications/{id}', 'get'>
type ShownVersion = Shown['versions'][number]
/** One that was never saved has no id yet. */
export type Version = Omit<ShownVersion, 'id'> & { id?: string }
export type Notification = Omit<Shown, 'versions'> & { versions: Version[] }

export const blankVersion: Version = {
  ...{ name: null, master: false, condition: null, redirection: null, channel: null },
  content: { title: '', body: '', icon: null, thumbnail: null, image: null, buttons: [] },
}

/** A target with nothing in it is none. */
const filled = <T extends { value: string }>(target: T | null): T | null => (target?.value ? target : null)

/** A version as it is sent and rendered. */
export const tidied = (version: Version): Version => ({
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

const bodyOf = ({ settings, versions, ...rest }: Notification) =>
  ({
    ...rest,
    settings: { ...settings, culture: settings.culture || null },
    versions: versions.map(tidied),
  }) as Body<'/notifications/{id}', 'put'>

export const notificationKind: DocumentKind<Notification> = {
  name: 'notification',
  read: (id, init) => versioned(api.GET('/notifications/{id}', { params: { path: { id } }, ...init })),
  replace: (id, value, headers) =>
    versioned(api.PUT('/notifications/{id}', { params: { path: { id } }, headers, body: bodyOf(value) })),
  remove: (id) => data(api.DELETE('/notifications/{id}', { params: { path: { id } } })),
}

/** The applications of the account, with their routes and channels. */
export const useApplications = () =>
  useQuery({
    queryKey: ['applications'],
    queryFn: ({ signal }) => data(api.GET('/parameters/applications', { signal })),
  })

/** What cron has. */
export const CRON_PARTS = ['minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'] as const

/** Pointers of the fields that say when it goes. */
export const SCHEDULE_POINTERS = ['type', 'startDate', 'timeZone/id', ...CRON_PARTS].map(
  (member) => `/task/scheduler/${member}`,
)
