import type { Db } from '../../../database/connection/connect.ts'
import type { RunExperiment } from './stored.ts'

/** The experiment of a run from its row. */
export const toRunExperiment = (row: object): RunExperiment =>
  ({ ...row, holdout: Number((row as { holdout: string }).holdout) }) as RunExperiment

/** Experiment of a run; `undefined` if it has none. */
export async function loadRunExperiment(db: Db, sending: number): Promise<RunExperiment | undefined> {
  const row = await db.selectFrom('campaign_experiments').selectAll().where('sending', '=', sending).executeTakeFirst()
  return row && toRunExperiment(row)
}
