import { apiClient, readVersionedAnswer } from '../../api/client.ts'
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

type ActionTest = ApiRequestBody<'validateAction'>

/** An email or SMS action as the interface answers it. */
export type ApiAction = ApiAnswer<'getAction'>

const buildParams = (id: string) => ({ path: { id } })

const asStoredAction = (call: Promise<StoredDocument<unknown>>) => call as Promise<StoredDocument<ApiAction>>

/** Emails and SMS are actions: read and sent back whole, so that what this screen does not know stays. */
export const actionDocumentKind: MessageDocumentKind<ApiAction> = {
  name: 'action',
  read: (id, init) => asStoredAction(readVersionedAnswer(apiClient.getAction, { ...buildParams(id), ...init })),
  replace: (id, action, headers) =>
    asStoredAction(
      readVersionedAnswer(apiClient.updateAction, {
        ...buildParams(id),
        headers,
        body: action as ApiRequestBody<'updateAction'>,
      }),
    ),
  remove: (id) => apiClient.deleteAction(buildParams(id)),
}

/** Makes an action that has a name, and what it begins with. */
export const createApiAction = async (
  type: ApiAction['type'],
  name: string,
  startContent?: EmailStartContent,
): Promise<string> =>
  (await apiClient.createAction({ body: { type, name, ...(startContent && { content: startContent }) } })).id

/** Complete, but its last test found errors: any update makes it a draft that can be tested again. */
const isActionRepairable = ({ state, informations: { lastValidation } }: ApiAction): boolean =>
  state === 10 && lastValidation?.result === 'repair'

/** Proofs of an action, also of one whose last test failed and whose content is as it was. */
export async function sendActionTest(action: ApiAction, test: Omit<ActionTest, 'fortest'>): Promise<void> {
  const { id, name } = action
  if (isActionRepairable(action)) await apiClient.updateAction({ ...buildParams(id), body: { name } })
  await apiClient.validateAction({ ...buildParams(id), body: { fortest: true, ...test } })
}

export const actionCommands: MessageCommands = {
  validate: (id) => apiClient.validateAction({ ...buildParams(id), body: { fortest: false } }),
  revoke: (id) => apiClient.unvalidateAction(buildParams(id)),
  pause: (id) => apiClient.pauseAction(buildParams(id)),
  resume: (id) => apiClient.resumeAction(buildParams(id)),
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
  standing: (action: ApiAction): MessageStatus => ({
    state: action.state,
    paused: action.informations.paused,
    active: null,
    isRepairable: isActionRepairable(action),
  }),
  belongsTo: ({ type }: ApiAction): MessageChannelName => (type.startsWith('sms') ? 'sms' : 'email'),
  audience: (id: string, segments: MessageSegments) =>
    apiClient.previewActionAudience({ ...buildParams(id), body: { segments } }),
}
