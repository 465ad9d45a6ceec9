import { api, data, paged } from '../../../api/client.ts'
import type { Answer } from '../../../api/shapes.ts'
import { type ChannelName, PHASES } from '../names.ts'
import type { MessagesSearch } from '../routes.ts'

const PAGE = 200

type Report = NonNullable<Answer<'/actions', 'get'>[number]['report']>

/** A message of any channel, as the list shows it. */
export interface Row {
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

export interface Page {
  items: Row[]
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

const rowOfAction = ({ id, name, type, state, creationDate, scheduler, report }: Listed): Row => ({
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
  phase !== undefined && phase in PHASES ? { state: PHASES[phase as keyof typeof PHASES] } : {}

const categoryOf = ({ category }: Asked) => (category === undefined ? {} : { category })

type Lister = (asked: Asked, signal: AbortSignal) => Promise<Page>

const actions =
  (type: string): Lister =>
  async (asked, signal) => {
    const query = { ...common(asked), ...stateOf(asked.phase), ...categoryOf(asked), type }
    const { items, next } = await paged(api.GET('/actions', { params: { query }, signal }))
    return { items: items.map(rowOfAction), next }
  }

/** The messages of a channel, a page at a time. */
export const LISTS: Record<ChannelName, Lister> = {
  email: actions('mailMessage,mailCampaign'),
  sms: actions('smsMessage,smsCampaign'),
  rcs: async (asked, signal) => {
    const query = { ...common(asked), ...stateOf(asked.phase), ...categoryOf(asked) }
    const { items, next } = await paged(api.GET('/channel/rcs/actions', { params: { query }, signal }))
    return { items: items.map((one) => rowOfAction(one as Listed)), next }
  },
  notification: async (asked, signal) => {
    const { phase } = asked
    const isNarrowed = phase === 'active' || phase === 'inactive'
    const query = { ...common(asked), ...(isNarrowed && { state: phase }) }
    const { items, next } = await paged(api.GET('/notifications', { params: { query }, signal }))
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
export async function duplicate(channel: ChannelName, id: string): Promise<{ id: string | number; name: string }> {
  const params = { path: { id } }
  if (channel === 'rcs') return data(api.POST('/channel/rcs/actions/{id}/duplication', { params }))
  if (channel === 'notification') return data(api.POST('/notifications/{id}/duplication', { params }))
  return data(api.POST('/actions/{id}/duplication', { params }))
}
