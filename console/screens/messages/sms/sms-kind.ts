import { api, data, versioned } from '../../../api/client.ts'
import type { Answer, Body } from '../../../api/shapes.ts'
import type { DocumentKind } from '../write/channel.ts'

export type SmsAction = Answer<'/actions/{id}', 'get'>

/** What a form may change; an empty sender is that of the profile. */
const bodyOf = ({ name, description, settings, content, scheduler }: SmsAction) =>
  ({
    ...{ name, description, content: { textContent: content.textContent } },
    settings: { ...settings, sender: settings.sender || null },
    ...(scheduler && { scheduler }),
  }) as Body<'/actions/{id}', 'put'>

export const smsKind: DocumentKind<SmsAction> = {
  name: 'smsAction',
  read: (id, init) => versioned(api.GET('/actions/{id}', { params: { path: { id } }, ...init })),
  replace: (id, action, headers) =>
    versioned(api.PUT('/actions/{id}', { params: { path: { id } }, headers, body: bodyOf(action) })),
  remove: (id) => data(api.DELETE('/actions/{id}', { params: { path: { id } } })),
}
