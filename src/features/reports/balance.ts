import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { isDelivered, type Outcome, outcomesOf, standing } from './outcomes.ts'
import type { Report } from './report-schemas.ts'
import type { Reported } from './reported.ts'

/** Every message in exactly one number. */
export type Balance = Pick<
  Report,
  'audience' | 'sent' | 'refused' | 'held' | 'cancelled' | 'postponed' | 'deferred' | 'waiting'
>

/** Why messages were cancelled whose events are kept no more. */
const UNKNOWN = 'unknown'

interface RunRow {
  recipients: number
  sent: number
  refused: number
  held: number
  cancelled: number
  postponed: number
  deferred: number
}

export function frequentFirst(counts: ReadonlyMap<string, number>): Report['cancelled'] {
  return [...counts]
    .map(([type, count]) => ({ type, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || a.type.localeCompare(b.type))
}

/** How the run of a campaign stands; `types`: its cancellations as events say. All zeros before it starts. */
export async function balanceOfRun(
  db: Db,
  sending: number | null,
  types: ReadonlyMap<string, number>,
): Promise<Balance> {
  const { rows } = await sql<RunRow>`
    select coalesce(sum(recipients), 0)::bigint as recipients, coalesce(sum(sent), 0)::bigint as sent,
      coalesce(sum(refused), 0)::bigint as refused, coalesce(sum(held), 0)::bigint as held,
      coalesce(sum(cancelled), 0)::bigint as cancelled,
      (select count(*) from messages m where m.sending = ${sending} and m.kind = 'campaign' and ${standing} = 'postponed') as postponed,
      (select count(*) from messages m where m.sending = ${sending} and m.kind = 'campaign' and ${standing} = 'deferred') as deferred
    from sending_counts where sending = ${sending}`.execute(db)
  const { recipients, cancelled, ...numbers } = rows[0]!
  const known = [...types.values()].reduce((all, count) => all + count, 0)
  const others = new Map([...types, [UNKNOWN, (types.get(UNKNOWN) ?? 0) + cancelled - known]])
  const { sent, refused, held, postponed, deferred } = numbers
  const rest = recipients - sent - refused - held - cancelled - postponed - deferred
  return { audience: recipients, ...numbers, cancelled: frequentFirst(others), waiting: rest }
}

/** How what was asked for on demand stands, and how many of it arrived; null where nothing tells. */
export async function balanceOnDemand(
  db: Db,
  reported: Reported,
): Promise<{ balance: Balance; delivered: number | null }> {
  const arrived = isDelivered(reported)
  const { rows } = await sql<{ outcome: Outcome; type: string | null; n: number; delivered: number }>`
    select outcome, case when outcome = 'cancelled' then coalesce(detail, ${UNKNOWN}) end as type, count(*) as n,
      count(*) filter (where outcome = 'sent' and ${arrived ?? sql`false`}) as delivered
    from (${outcomesOf(reported)}) o group by 1, 2`.execute(db)
  const sum = (of: Outcome): number => rows.reduce((all, { outcome, n }) => (outcome === of ? all + n : all), 0)
  const types = rows.flatMap(({ type, n }): [string, number][] => (type === null ? [] : [[type, n]]))
  return {
    balance: {
      audience: rows.reduce((all, { n }) => all + n, 0),
      sent: sum('sent'),
      refused: sum('refused'),
      held: sum('held'),
      cancelled: frequentFirst(new Map(types)),
      postponed: sum('postponed'),
      deferred: sum('deferred'),
      waiting: sum('waiting'),
    },
    delivered: arrived ? rows.reduce((all, { delivered }) => all + delivered, 0) : null,
  }
}
