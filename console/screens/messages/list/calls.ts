import { apiClient, readAnswer, readPagedAnswer } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import { MESSAGE_PHASE_STATES, type MessageChannelName } from '../names.ts'
import type { MessagesSearch } from '../routes.ts'

const PAGE = 200

type Report = NonNullable<ApiAnswer<'/actions', 'get'>[number]['report']>

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
  report: Report | undefined
}

export interface MessageListPage {
  items: MessageListRow[]
  next: string | undefined
}

interface Asked extends MessagesSearch {
  after: string | undefined
}

interface Listed {
  id: string | number
  name: string
  type: string
  state: number
  creationDate: string
  scheduler?: { startDate?: string | null }
  report?: Report
}

const rowOfAction = ({ id, name, type, state, creationDate, scheduler, report }: Listed): MessageListRow => ({
  ...{ id, name, state, creationDate, report, active: null },
  isCampaign: type.endsWith('Campaign'),
  startDate: scheduler?.startDate ?? null,
})

/** What every list takes of the address. */
const common = ({ q, campaign, sort, after }: Asked) => ({
  ...{ limit: PAGE, report: true, sort: sort ?? '-creationDate' },
  ...(q !== undefined && { name: q }),
  ...(campaign !== undefined && { campaign }),
  ...(after !== undefined && { after }),
})

const stateOf = (phase: MessagesSearch['phase']) =>
  phase !== undefined && phase in MESSAGE_PHASE_STATES
    ? { state: MESSAGE_PHASE_STATES[phase as keyof typeof MESSAGE_PHASE_STATES] }
    : {}

const categoryOf = ({ category }: Asked) => (category === undefined ? {} : { category })

type Lister = (asked: Asked, signal: AbortSignal) => Promise<MessageListPage>

const actions =
  (type: string): Lister =>
  async (asked, signal) => {
    const query = { ...common(asked), ...stateOf(asked.phase), ...categoryOf(asked), type }
    const { items, next } = await readPagedAnswer(apiClient.GET('/actions', { params: { query }, signal }))
    return { items: items.map(rowOfAction), next }
  }

/** The messages of a channel, a page at a time. */
export const MESSAGE_LISTERS: Record<MessageChannelName, Lister> = {
  email: actions('mailMessage,mailCampaign'),
  sms: actions('smsMessage,smsCampaign'),
  rcs: async (asked, signal) => {
    const query = { ...common(asked), ...stateOf(asked.phase), ...categoryOf(asked) }
    const { items, next } = await readPagedAnswer(apiClient.GET('/channel/rcs/actions', { params: { query }, signal }))
    return { items: items.map((one) => rowOfAction(one as Listed)), next }
  },
  notification: async (asked, signal) => {
    const { phase } = asked
    const isNarrowed = phase === 'active' || phase === 'inactive'
    const query = { ...common(asked), ...(isNarrowed && { state: phase }) }
    const { items, next } = await readPagedAnswer(apiClient.GET('/notifications', { params: { query }, signal }))
    return {
      items: items.map(({ id, name, active, stamp, task, report }) => ({
        ...{ id, name, active, report, state: null, creationDate: stamp.creation },
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
  if (channel === 'rcs') return readAnswer(apiClient.POST('/channel/rcs/actions/{id}/duplication', { params }))
  if (channel === 'notification') return readAnswer(apiClient.POST('/notifications/{id}/duplication', { params }))
  return readAnswer(apiClient.POST('/actions/{id}/duplication', { params }))
}
