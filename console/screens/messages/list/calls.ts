import { apiClient, readPagedAnswer } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import type { MessagesSearch } from '../address.ts'
import { MESSAGE_PHASE_STATES, type MessageChannelName } from '../names.ts'

const PAGE_SIZE = 200

type ActionReport = NonNullable<ApiAnswer<'listActions'>[number]['report']>

/** A message of any channel, as the list shows it. */
export interface MessageListRow {
  id: string | number
  name: string
  isCampaign: boolean
  /** Notifications have none: they are active or not. */
  state: number | null
  active: boolean | null
  creationDate: string
  startDate: string | null
  report: ActionReport | undefined
}

export interface MessageListPage {
  items: MessageListRow[]
  next: string | undefined
}

interface ListRequest extends MessagesSearch {
  after: string | undefined
}

interface ListedMessage {
  id: string | number
  name: string
  type: string
  state: number
  creationDate: string
  scheduler?: { startDate?: string | null }
  report?: ActionReport
}

const toListRow = ({ id, name, type, state, creationDate, scheduler, report }: ListedMessage): MessageListRow => ({
  id,
  name,
  state,
  creationDate,
  report,
  active: null,
  isCampaign: type.endsWith('Campaign'),
  startDate: scheduler?.startDate ?? null,
})

/** Query parameters that every list takes from the address. */
const buildCommonQuery = ({ q, campaign, sort, after }: ListRequest) => ({
  limit: PAGE_SIZE,
  report: true,
  sort: sort ?? '-creationDate',
  ...(q !== undefined && { name: q }),
  ...(campaign !== undefined && { campaign }),
  ...(after !== undefined && { after }),
})

const buildStateQuery = (phase: MessagesSearch['phase']) =>
  phase !== undefined && phase in MESSAGE_PHASE_STATES
    ? { state: MESSAGE_PHASE_STATES[phase as keyof typeof MESSAGE_PHASE_STATES] }
    : {}

const buildCategoryQuery = ({ category }: ListRequest) => (category === undefined ? {} : { category })

type MessageLister = (request: ListRequest, signal: AbortSignal) => Promise<MessageListPage>

const createActionLister =
  (type: string): MessageLister =>
  async (request, signal) => {
    const query = {
      ...buildCommonQuery(request),
      ...buildStateQuery(request.phase),
      ...buildCategoryQuery(request),
      type,
    }
    const { items, next } = await readPagedAnswer(apiClient.listActions, { query, signal })
    return { items: items.map(toListRow), next }
  }

/** The messages of a channel, a page at a time. */
export const MESSAGE_LISTERS: Record<MessageChannelName, MessageLister> = {
  email: createActionLister('mailMessage,mailCampaign'),
  sms: createActionLister('smsMessage,smsCampaign'),
  rcs: async (request, signal) => {
    const query = { ...buildCommonQuery(request), ...buildStateQuery(request.phase), ...buildCategoryQuery(request) }
    const { items, next } = await readPagedAnswer(apiClient.listRcsActions, { query, signal })
    return { items: items.map((action) => toListRow(action as ListedMessage)), next }
  },
  notification: async (request, signal) => {
    const { phase } = request
    const isNarrowed = phase === 'active' || phase === 'inactive'
    const query = { ...buildCommonQuery(request), ...(isNarrowed && { state: phase }) }
    const { items, next } = await readPagedAnswer(apiClient.listNotifications, { query, signal })
    return {
      items: items.map(({ id, name, active, stamp, task, report }) => ({
        id,
        name,
        active,
        report,
        state: null,
        creationDate: stamp.creation,
        isCampaign: task !== undefined && task !== null,
        startDate: task?.scheduler?.nextRun ?? task?.scheduler?.lastRun ?? null,
      })),
      next,
    }
  },
}

/** Makes a copy; answers its id and name. */
export async function duplicateMessage(
  channel: MessageChannelName,
  id: string,
): Promise<{ id: string | number; name: string }> {
  const params = { path: { id } }
  if (channel === 'rcs') return apiClient.duplicateRcsAction(params)
  if (channel === 'notification') return apiClient.duplicateNotification(params)
  return apiClient.duplicateAction(params)
}
