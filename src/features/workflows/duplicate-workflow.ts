import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { createUuidsV7 } from '../../lib/ids.ts'
import { findFreeName } from '../../scripting/free-name.ts'
import { collectWorkflowContents, listWorkflowSegments } from './definition/definition-contents.ts'
import type { WorkflowDefinition } from './definition/workflow-definition.ts'
import { insertWorkflow, loadWorkflow, type StoredWorkflow, type WorkflowKey } from './workflow-repository.ts'
import { requireWorkflowRoom, type WorkflowContext } from './workflows.ts'

async function listUsedNames(tx: Db, account: AccountId): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from workflows where account = ${account} and deleted_at is null`.execute(tx)
  return new Set(rows.map(({ name }) => name))
}

/** A definition with new ids of tasks, schedulers and capping: what is counted by them is not the copy's. */
function renewDefinitionIds(definition: WorkflowDefinition, now: number): WorkflowDefinition {
  const makeId = () => createUuidsV7(1, now)[0]!
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
    await requireWorkflowRoom(tx, account)
    const sourceWorkflow = await loadWorkflow(tx, key)
    const definition = renewDefinitionIds(sourceWorkflow.definition, clock.now())
    const segmentIds = listWorkflowSegments(collectWorkflowContents(definition))
    const workflowCopy = {
      ...sourceWorkflow,
      name: findFreeName(sourceWorkflow.name, await listUsedNames(tx, account)),
      definition,
      segments: segmentIds,
    }
    const id = await insertWorkflow(tx, account, workflowCopy, new Date(clock.now()))
    return loadWorkflow(tx, { account, id })
  })
}
