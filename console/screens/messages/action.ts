import { apiClient, readAnswer, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'
import type { StoredDocument } from '../../components/form/use-form.ts'
import type { MessageChannelName } from './names.ts'
import type {
  EmailStartContent,
  MessageCommands,
  MessageDocumentKind,
  MessageSegments,
  MessageStatus,
} from './write/channel.ts'

type ActionTest = ApiRequestBody<'/actions/{id}/validation', 'post'>

/** An email or SMS action as the interface answers it. */
export type ApiAction = ApiAnswer<'/actions/{id}', 'get'>

const buildParams = (id: string) => ({ path: { id } })

const asStoredAction = (call: Promise<StoredDocument<unknown>>) => call as Promise<StoredDocument<ApiAction>>

/** Emails and SMS are actions: read and sent back whole, so that what this screen does not know stays. */
export const actionDocumentKind: MessageDocumentKind<ApiAction> = {
  name: 'action',
  read: (id, init) =>
    asStoredAction(readVersionedAnswer(apiClient.GET('/actions/{id}', { params: buildParams(id), ...init }))),
  replace: (id, action, headers) =>
    asStoredAction(
      readVersionedAnswer(
        apiClient.PUT('/actions/{id}', {
          params: buildParams(id),
          headers,
          body: action as ApiRequestBody<'/actions/{id}', 'put'>,
        }),
      ),
    ),
  remove: (id) => readAnswer(apiClient.DELETE('/actions/{id}', { params: buildParams(id) })),
}

/** Makes an action that has a name, and what it begins with. */
export const createApiAction = async (
  type: ApiAction['type'],
  name: string,
  startContent?: EmailStartContent,
): Promise<string> =>
  (
    await readAnswer(
      apiClient.POST('/actions', { body: { type, name, ...(startContent && { content: startContent }) } }),
    )
  ).id

/** Proofs of an action. */
export const sendActionTest = (id: string, test: Omit<ActionTest, 'fortest'>): Promise<unknown> =>
  readAnswer(apiClient.POST('/actions/{id}/validation', { params: buildParams(id), body: { fortest: true, ...test } }))

export const actionCommands: MessageCommands = {
  validate: (id) =>
    readAnswer(apiClient.POST('/actions/{id}/validation', { params: buildParams(id), body: { fortest: false } })),
  revoke: (id) => readAnswer(apiClient.DELETE('/actions/{id}/validation', { params: buildParams(id) })),
  pause: (id) => readAnswer(apiClient.POST('/actions/{id}/pause', { params: buildParams(id) })),
  resume: (id) => readAnswer(apiClient.DELETE('/actions/{id}/pause', { params: buildParams(id) })),
}

/** Parts of a message channel that are the same for every action. */
export const actionChannelParts = {
  asked: 'action' as const,
  kind: actionDocumentKind,
  commands: actionCommands,
  segmentsAt: '/scheduler/segments',
  schedulerAt: '/scheduler',
  schedules: ['asap', 'scheduled', 'timeZoneSchedule', 'bestTime'] as const,
  isCampaign: ({ type }: ApiAction): boolean => type.endsWith('Campaign'),
  standing: ({ state, informations: { paused } }: ApiAction): MessageStatus => ({ state, paused, active: null }),
  belongsTo: ({ type }: ApiAction): MessageChannelName => (type.startsWith('sms') ? 'sms' : 'email'),
  audience: (id: string, segments: MessageSegments) =>
    readAnswer(apiClient.POST('/actions/{id}/audience', { params: buildParams(id), body: { segments } })),
}
