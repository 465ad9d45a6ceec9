import { sql } from 'kysely'
import type { ServiceContext } from '../../../context.ts'
import { inTransaction } from '../../../database/connection/connect.ts'
import { conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { storeVersionCounts } from '../counts/version-counts.ts'
import type { ReadyDefinitionCache } from '../engine/definition-cache.ts'
import { killStoredRuns } from '../waits/kill-runs.ts'
import { reopenFailedRun } from '../waits/reopen-run.ts'
import type { WorkflowKey } from '../workflow-repository.ts'
import { requireWorkflow } from './read-runs.ts'

type RunContext = Pick<ServiceContext, 'db' | 'clock'>

/** Kills an open run: nothing of it is performed afterwards. Throws notFound, conflict `run-ended`. */
export function killWorkflowRun({ db, clock }: RunContext, key: WorkflowKey, run: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    await requireWorkflow(tx, key)
    const { account, id: workflow } = key
    const runResult = await sql`
      select from workflow_runs where account = ${account} and workflow = ${workflow} and id = ${run}`.execute(tx)
    if (runResult.rows.length === 0) throw notFoundProblem('run', run)
    const killed = await killStoredRuns(tx, [{ account, id: run }], { reason: 'request', now: clock.now() })
    if (killed.length === 0) throw conflictProblem('run-ended', `The run ${run} has ended.`)
  })
}

/**
 * Lets a failed run go on at the node where it failed, with a new visit. Throws notFound, conflict `run-not-failed` or, when its
 * version is not kept any more, `version-gone`.
 */
export function retryWorkflowRun(
  { db, clock, definitions }: RunContext & { definitions: ReadyDefinitionCache },
  key: WorkflowKey,
  run: string,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await requireWorkflow(tx, key)
    const { account, id: workflow } = key
    const now = clock.now()
    const { rows } = await sql<{ status: string; version: number }>`
      select status, version from workflow_runs
      where account = ${account} and workflow = ${workflow} and id = ${run} for update`.execute(tx)
    const [failedRun] = rows
    if (!failedRun) throw notFoundProblem('run', run)
    if (failedRun.status !== 'failed') throw conflictProblem('run-not-failed', `The run ${run} is ${failedRun.status}.`)
    const versionKey = { account, workflow, version: failedRun.version }
    const definition = (await definitions.load(tx, [versionKey]))(versionKey)
    if (!definition)
      throw conflictProblem('version-gone', `Version ${failedRun.version} of the workflow is no longer available.`)
    await reopenFailedRun(tx, { account, id: run }, definition, now)
    const runCount = { ...versionKey, subject: 'run' as const, id: '' }
    await storeVersionCounts(
      tx,
      [
        { ...runCount, name: 'failed', n: -1 },
        { ...runCount, name: 'open', n: 1 },
      ],
      now,
    )
  })
}
