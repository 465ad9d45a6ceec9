import { sql } from 'kysely'
import { getActionChannel, type SendingChannelName } from '../../../channels/channel-traits.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { HOUR_MS } from '../../../lib/time/spans.ts'
import type { StoredAction } from '../resource/action-repository.ts'
import { toRunExperiment } from './runs.ts'
import type { RunExperiment } from './stored.ts'

/** Hits are settled, and segments compared, within this. */
const SETTLING_TIME_MS = HOUR_MS

/**
 * Measures with final counts: a condition on the runs `x` that lack one, and the time after the send to each contact during which it can
 * still grow.
 */
const MEASURES = {
  goal: { isOpen: sql`x.goal is not null and x.goal_counted_at is null`, span: sql`x.goal -> 'within'` },
  successes: { isOpen: sql`x.counted_at is null`, span: sql`x.decide_after` },
}

/** A run, and where its sends are found. */
export interface MeasuredRun {
  run: RunExperiment
  channel: SendingChannelName
  startedAt: Date
}

/** A run of which something can be counted for good, as its time is over for all contacts, held until the transaction ends. */
async function lockFinishedRun(tx: Db, measure: keyof typeof MEASURES, now: Date): Promise<MeasuredRun | undefined> {
  const { isOpen, span } = MEASURES[measure]
  const { rows } = await sql<Record<string, unknown> & { type: StoredAction['type']; started_at: Date }>`
    select x.*, a.type, a.started_at from campaign_experiments x join actions a on a.id = x.action
    where ${isOpen} and x.settled_at is not null
      and x.settled_at + (${span} ->> 'value')::double precision * case ${span} ->> 'unit'
        when 'MINUTE' then interval '1 minute' when 'HOUR' then interval '1 hour' when 'DAY' then interval '24 hours'
        else interval '168 hours' end <= ${new Date(now.getTime() - SETTLING_TIME_MS)}
    order by x.settled_at limit 1 for update of x skip locked`.execute(tx)
  const [row] = rows
  return row && { run: toRunExperiment(row), channel: getActionChannel(row.type), startedAt: row.started_at }
}

/** Counts something for good of each run whose time is over for all contacts, a transaction each. */
export async function finalizeMeasuredRuns(
  db: Db,
  measure: keyof typeof MEASURES,
  now: Date,
  count: (tx: Db, over: MeasuredRun) => Promise<void>,
): Promise<void> {
  const countNextRun = (): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      const measuredRun = await lockFinishedRun(tx, measure, now)
      if (measuredRun) await count(tx, measuredRun)
      return measuredRun !== undefined
    })
  while (await countNextRun()) {
    // The next one.
  }
}
