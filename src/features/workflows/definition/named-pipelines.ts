import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccessRight, AccountId } from '../../../lib/account.ts'
import { requireCapabilityRights } from '../../../scripting/capabilities.ts'
import { listOpenRunDefinitions, type WorkflowKey } from '../workflow-repository.ts'
import { collectWorkflowContents } from './definition-contents.ts'
import type { WorkflowDefinition } from './workflow-definition.ts'

/** The compilables that nodes and tasks of a definition execute, each once. */
export const listNamedCompilables = (definition: WorkflowDefinition): string[] => [
  ...new Set(collectWorkflowContents(definition).calls.map(({ id }) => id)),
]

/** Throws 403 unless a key has the rights that the scripts of compilables need, but for those that were named before. */
export async function requireCompilableRights(
  tx: Db,
  account: AccountId,
  { before, after }: { before: WorkflowDefinition | null; after: WorkflowDefinition },
  rights: readonly AccessRight[],
): Promise<void> {
  const knownIds = before ? listNamedCompilables(before) : []
  const addedIds = listNamedCompilables(after).filter((id) => !knownIds.includes(id))
  if (addedIds.length === 0) return
  const { rows } = await sql<{ capability: string }>`
    select distinct json_array_elements_text(value #> '{scripting,environment,capabilities}') as capability
    from compilables where account = ${account} and id = any(${addedIds}::uuid[]) order by 1`.execute(tx)
  requireCapabilityRights(
    rows.map(({ capability }) => capability),
    [],
    rights,
  )
}

/**
 * Keeps the compilables that an active workflow names from being deleted, or changed into flawed ones, also those of earlier
 * definitions by which runs go on; null: it is active no more. Whoever changes one meanwhile is waited for: flaws are looked for afterwards.
 */
export async function linkNamedCompilables(
  tx: Db,
  key: WorkflowKey,
  definition: WorkflowDefinition | null,
): Promise<void> {
  const { account, id } = key
  const compilableIds = definition
    ? [definition, ...(await listOpenRunDefinitions(tx, key))].flatMap(listNamedCompilables)
    : []
  await sql`
    delete from workflow_compilables
    where account = ${account} and workflow = ${id} and compilable <> all(${compilableIds}::uuid[])`.execute(tx)
  if (compilableIds.length === 0) return
  await sql`
    insert into workflow_compilables (account, workflow, compilable)
    select account, ${id}, id from compilables
    where account = ${account} and id = any(${compilableIds}::uuid[]) order by id for key share
    on conflict do nothing`.execute(tx)
}
