import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { inTransaction } from '../../../database/connection/connect.ts'
import { conflict, notFound } from '../../../lib/errors/problem.ts'
import { countAll } from '../counts/counts.ts'
import type { Definitions } from '../engine/definitions.ts'
import type { WorkflowKey } from '../stored.ts'
import { killRuns } from '../waits/kills.ts'
import { reopenRun } from '../waits/reopening.ts'
import { requireWorkflow } from './reading.ts'

type RunContext = Pick<Context, 'db' | 'clock'>

/** Kills an open run: nothing of it is performed afterwards. Throws notFound, conflict `run-ended`. */
export function killRun({ db, clock }: RunContext, key: WorkflowKey, run: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    await requireWorkflow(tx, key)
    const { account, id: workflow } = key
    const known = await sql`
      select from workflow_runs where account = ${account} and workflow = ${workflow} and id = ${run}`.execute(tx)
    if (known.rows.length === 0) throw notFound('run', run)
    const killed = await killRuns(tx, [{ account, id: run }], { reason: 'request', now: clock.now() })
    if (killed.length === 0) throw conflict('run-ended', `The run ${run} has ended.`)
  })
}

/**
 * Lets a failed run go on at the node where it failed, with a new visit. Throws notFound, conflict `run-not-failed` or, when its
 * version is not kept any more, `version-gone`.
 */
export function retryRun(
  { db, clock, definitions }: RunContext & { definitions: Definitions },
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
    const [found] = rows
    if (!found) throw notFound('run', run)
    if (found.status !== 'failed') throw conflict('run-not-failed', `The run ${run} is ${found.status}.`)
    const version = { account, workflow, version: found.version }
    const definition = (await definitions.load(tx, [version]))(version)
    if (!definition)
      throw conflict('version-gone', `The version ${found.version} of the workflow is not kept any more.`)
    await reopenRun(tx, { account, id: run }, definition, now)
    const counted = { ...version, subject: 'run' as const, id: '' }
    await countAll(
      tx,
      [
        { ...counted, name: 'failed', n: -1 },
        { ...counted, name: 'open', n: 1 },
      ],
      now,
    )
  })
}
