import { type Client, eventually } from '../scripts/demo/client.ts'

const IMPORT_MS = 120_000
/** A campaign that has not ended by then will not: what is left of it counts as lost. */
const END_MS = 90_000

/** A campaign as its monitor shows it. */
export interface Campaign {
  id: string
  recipients: number
  sent: number
  held: number
  isOver: boolean
}

/** The campaigns of a variant: one after the other to the same contacts, so that there is always something to kill. */
export interface Campaigns {
  /** Starts another campaign. */
  another(client: Client): Promise<void>
  /** Starts another campaign when less than half of the last one is left. */
  refill(client: Client): Promise<void>
  /** All of them once each is over, or as they stand when that takes too long. */
  finish(client: Client): Promise<Campaign[]>
}

interface Shown {
  id: string
  state: number
  monitor: { recipients: number; sent: number; held: number; pending: number } | null
}

async function importContacts(client: Client, size: number): Promise<void> {
  const { id } = await client.call<{ id: number }>('POST', '/imports', { name: 'everybody' })
  const text = `Email\n${Array.from({ length: size }, (_, n) => `p${n}@killed.example\n`).join('')}`
  const { id: execution } = await client.upload<{ id: number }>(`/imports/${id}/executions`, { name: 'all.csv', text })
  const { created } = await eventually('the import', IMPORT_MS, async () => {
    const shown = await client.call<{ state: number; created: number }>('GET', `/imports/${id}/executions/${execution}`)
    return shown.state === 0 ? undefined : shown
  })
  if (created !== size) throw new Error(`${created} of ${size} contacts were imported`)
}

async function look(client: Client, action: string): Promise<Campaign> {
  const { id, state, monitor } = await client.call<Shown>('GET', `/actions/${action}`)
  const { recipients = 0, sent = 0, held = 0, pending = 0 } = monitor ?? {}
  return { id, recipients, sent, held, isOver: state === 60 && pending === 0 }
}

/** Makes the contacts, and the segment that has them all. */
export async function makeCampaigns(client: Client, size: number): Promise<Campaigns> {
  await importContacts(client, size)
  const segment = await client.call<{ id: number }>('POST', '/segments', {
    type: 'dynamic',
    name: 'Everybody',
    criteria: { all: [] },
  })
  await client.call('PUT', '/settings/sending', { testRequired: false })
  const started: string[] = []

  async function another(on: Client): Promise<void> {
    const { id } = await on.call<Shown>('POST', '/actions', {
      type: 'mailCampaign',
      name: `Sale ${started.length + 1}`,
      content: { subject: 'Hello {{ contact.Email }}', html: '<p><a href="https://shop.example/a">Come in.</a></p>' },
      scheduler: { type: 'asap', segments: { selected: [segment.id] } },
    })
    await on.call('POST', `/actions/${id}/validation`, { fortest: false })
    started.push(id)
  }

  return {
    another,
    async refill(on) {
      const last = started.at(-1)
      const shown = last === undefined ? undefined : await look(on, last)
      if (!shown || shown.sent + shown.held > size / 2) await another(on)
    },
    async finish(on) {
      const lookAtAll = () => Promise.all(started.map((id) => look(on, id)))
      return eventually('the end of the campaigns', END_MS, async () => {
        const all = await lookAtAll()
        return all.every(({ isOver }) => isOver) ? all : undefined
      }).catch(lookAtAll)
    },
  }
}
