import { openDatabasePool } from '../src/database/connection/connect.ts'
import type { Campaign } from './kill-campaigns.ts'
import type { Environment } from './kill-environment.ts'

/** What the sink's record, the audience and the events say when they are laid side by side. */
export interface Verdict {
  /** Of the audience, neither received nor held. */
  lost: number
  /** Messages a contact received of a campaign beyond the first; messages without a record count here too. */
  duplicated: number
  /** Held, as their outcome is unknown. */
  doubtful: number
  /** Outcomes, events and counts of the interface that do not agree with what the sink received. */
  misrecorded: number
}

interface Row {
  stamp: string
  source: number
  contact: number
  /** `accepted`, `refused` or `cancelled` of those that ended, the state of those that did not. */
  became: string
  activations: number
}

const ALL = `
  with known as (
    select stamp, source, contact, outcome as became from sent_messages where kind = 'campaign'
    union all select m.stamp, g.source, m.contact, m.state from messages m join sendings g on g.id = m.sending
    where m.kind = 'campaign'
  )
  select k.*, (select count(*) from events e where e.stamp = k.stamp and e.kind = 'activations')::integer as activations
  from known k`

async function readAll(environment: Environment): Promise<Row[]> {
  const { pool, close } = openDatabasePool(await environment.databaseUrl(), { max: 1 })
  const { rows } = await pool.query<Row>(ALL)
  await close()
  return rows
}

/** Whether what is recorded of a message agrees with how often it was received. */
function isRecordedWell({ became, activations }: Row, received: number): boolean {
  if (became === 'held') return activations === 0
  return became === 'accepted' ? activations === 1 && received > 0 : activations === 0 && received === 0
}

/** Compares what the sink received with the audience, `size` contacts a campaign, with the events and with the monitors. */
export async function judge(environment: Environment, campaigns: readonly Campaign[], size: number): Promise<Verdict> {
  const [rows, stamps] = [await readAll(environment), await environment.sink.stamps()]
  const received = new Map<string, number>()
  for (const stamp of stamps) received.set(stamp, (received.get(stamp) ?? 0) + 1)
  const timesOf = ({ stamp }: Row): number => received.get(stamp) ?? 0

  // By contact, not by stamp: a contact that was planned twice has two of them.
  const times = new Map<string, number>()
  for (const row of rows) {
    const place = `${row.source} ${row.contact}`
    if (row.became === 'held' || timesOf(row) > 0) times.set(place, (times.get(place) ?? 0) + timesOf(row))
  }
  const known = new Set(rows.map(({ stamp }) => stamp))
  const unknown = stamps.filter((stamp) => !known.has(stamp)).length
  const held = rows.filter(({ became }) => became === 'held').length
  const accepted = rows.filter(({ became }) => became === 'accepted').length
  const shown = campaigns.reduce((sum, { held, sent }) => ({ held: sum.held + held, sent: sum.sent + sent }), {
    held: 0,
    sent: 0,
  })
  return {
    lost: size * campaigns.length - times.size,
    duplicated: unknown + [...times.values()].reduce((sum, n) => sum + Math.max(0, n - 1), 0),
    doubtful: held,
    misrecorded:
      rows.filter((row) => !isRecordedWell(row, timesOf(row))).length +
      Math.abs(shown.held - held) +
      Math.abs(shown.sent - accepted),
  }
}
