import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { uuidsV7 } from '../../../lib/ids.ts'
import { contentsOf, segmentsOf } from './contents.ts'
import type { Definition } from './definition.ts'
import { insertWorkflow, loadWorkflow, type StoredWorkflow, type WorkflowKey } from './stored.ts'
import { requireRoom, type WorkflowContext } from './workflows.ts'

const NAME_LENGTH = 255

/** `name (n)`, with the lowest number from 1 that is free in the account, cut to fit. */
async function freeName(tx: Db, account: AccountId, name: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from workflows where account = ${account} and deleted_at is null`.execute(tx)
  const taken = new Set(rows.map((row) => row.name))
  for (let number = 1; ; number++) {
    const suffix = ` (${number})`
    const candidate = `${name.slice(0, NAME_LENGTH - suffix.length)}${suffix}`
    if (!taken.has(candidate)) return candidate
  }
}

/** A definition with new ids of tasks, schedulers and capping: what is counted by them is not the copy's. */
function renewed(definition: Definition, now: number): Definition {
  const makeId = () => uuidsV7(1, now)[0]!
  return {
    ...definition,
    capping: definition.capping.map((entry) => ({ ...entry, id: makeId() })),
    tasks: definition.tasks.map((task) => ({
      ...task,
      id: makeId(),
      schedulers: task.schedulers.map((scheduler) => ({ ...scheduler, id: makeId() })),
    })),
  }
}

/** Copies a workflow: inactive, version 1. Throws notFound, conflict when there are 1,000. */
export function duplicateWorkflow({ db, clock }: WorkflowContext, key: WorkflowKey): Promise<StoredWorkflow> {
  return inTransaction(db, async (tx) => {
    const { account } = key
    await requireRoom(tx, account)
    const stored = await loadWorkflow(tx, key)
    const definition = renewed(stored.definition, clock.now())
    const segments = segmentsOf(contentsOf(definition))
    const copy = { ...stored, name: await freeName(tx, account, stored.name), definition, segments }
    const id = await insertWorkflow(tx, account, copy, new Date(clock.now()))
    return loadWorkflow(tx, { account, id })
  })
}
