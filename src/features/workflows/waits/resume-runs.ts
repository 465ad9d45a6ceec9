import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { createUuidV7 } from '../../../lib/ids.ts'
import { RESOLUTION_EVENT_TYPE } from '../nodes/node-contract.ts'
import { isRunTooLarge } from '../run-stepper/run-size.ts'
import type { WorkflowRunRequest } from '../starts/execution-items.ts'
import { recordHappenedWaits } from './search-events.ts'

type ValuesByName = Record<string, unknown>

/** A run that an execution names, its row locked. */
export interface ResumableRun {
  id: string
  workflow: number
  version: number
  contact: number | null
  stamp: string
  isOpen: boolean
  data: ValuesByName
  state: ValuesByName
  variables: ValuesByName
  event: ValuesByName | null
  /** Waits of the node it stands at that nothing has ended. */
  waits: readonly { node: string; id: string }[]
}

/** Locks runs by their ids until the transaction ends. */
export async function lockResumableRuns(
  tx: Db,
  account: AccountId,
  ids: readonly string[],
): Promise<Map<string, ResumableRun>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Omit<ResumableRun, 'waits'>>`
    select id, workflow, version, contact, stamp, ended_at is null as "isOpen", data, state, variables, event
    from workflow_runs where account = ${account} and id = any(${ids}::uuid[]) order by id for update`.execute(tx)
  if (rows.length === 0) return new Map()
  const { rows: waits } = await sql<{ run: string; node: string; id: string }>`
    select run, node, id from workflow_waits
    where account = ${account} and run = any(${rows.map(({ id }) => id)}::uuid[]) and not is_goal and event is null`.execute(
    tx,
  )
  const waitsByRun = Map.groupBy(waits, ({ run }) => run)
  return new Map(rows.map((row) => [row.id, { ...row, waits: waitsByRun.get(row.id) ?? [] }]))
}

/** An open run with what an item asks of it. */
export interface RunResume {
  run: ResumableRun
  asked: WorkflowRunRequest
}

/** A key that names a node, or one of its waits. */
function findNamedWait({ waits }: ResumableRun, key: string): { node: string; id: string } | undefined {
  const separatorIndex = key.indexOf('/')
  const [node, id] = separatorIndex < 0 ? [key, ''] : [key.slice(0, separatorIndex), key.slice(separatorIndex + 1)]
  return waits.find((wait) => wait.node === node && wait.id === id)
}

/** Why a run cannot do what is asked; undefined: it can. */
export function findResumeFault({
  run,
  asked: runRequest,
}: RunResume): 'run not waiting' | 'run too large' | undefined {
  if (runRequest.resolutions.some(({ key }) => !findNamedWait(run, key))) return 'run not waiting'
  return isRunTooLarge(mergeRunValues({ run, asked: runRequest })) ? 'run too large' : undefined
}

function mergeRunValues({ run, asked: runRequest }: RunResume) {
  return {
    data: { ...run.data, ...runRequest.data },
    state: { ...run.state, ...runRequest.state },
    variables: { ...run.variables, ...runRequest.variables },
    event: runRequest.event ?? run.event,
  }
}

/** Has runs go on: their waits are over, they stand at another node, and what was brought is theirs. */
export async function resumeRuns(
  tx: Db,
  account: AccountId,
  resumes: readonly RunResume[],
  now: number,
): Promise<void> {
  if (resumes.length === 0) return
  await recordHappenedWaits(
    tx,
    resumes.flatMap(({ run, asked: runRequest }) =>
      runRequest.resolutions.map(({ key, value }) => ({
        account,
        run: run.id,
        wait: findNamedWait(run, key)!.id,
        isGoal: false,
        event: { type: RESOLUTION_EVENT_TYPE, id: createUuidV7(now), timestamp: now, value },
      })),
    ),
  )
  const resumeRows = resumes.map(({ run, asked: runRequest }) => ({
    id: run.id,
    ...mergeRunValues({ run, asked: runRequest }),
    goes_on: runRequest.node !== null || runRequest.resolutions.length > 0,
    interrupt:
      runRequest.node === null
        ? null
        : { type: 'resume', node: runRequest.node, leaves: runRequest.resolutions.length > 0 },
  }))
  await sql`
    with given as (
      select * from jsonb_to_recordset(${toJsonbText(resumeRows)}::jsonb) as g (
        id uuid, data jsonb, state jsonb, variables jsonb, event jsonb, goes_on boolean, interrupt jsonb)
    ), told as (
      update workflow_runs r set data = g.data, state = g.state, variables = g.variables, event = g.event,
        interrupt = coalesce(g.interrupt, r.interrupt), moves = r.moves + 1, updated_at = ${new Date(now)}
      from given g where r.account = ${account} and r.id = g.id
    )
    update workflow_timers t set due = ${new Date(now)} from given g
    where g.goes_on and t.account = ${account} and t.run = g.id and t.claimed_by is null and t.due is not null`.execute(
    tx,
  )
}
