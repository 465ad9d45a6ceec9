import type { Db } from '../../../database/connect.ts'
import type { RunExperiment } from './stored.ts'

/** The experiment of a run; undefined when it has none. */
export async function loadRunExperiment(db: Db, sending: number): Promise<RunExperiment | undefined> {
  const row = await db.selectFrom('campaign_experiments').selectAll().where('sending', '=', sending).executeTakeFirst()
  return row && ({ ...row, holdout: Number(row.holdout) } as unknown as RunExperiment)
}
