import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccessRight, AccountId } from '../../../lib/account.ts'
import { requireCapabilityRights } from '../../../scripting/capabilities.ts'
import { listImportedWebtaskIds } from '../../../scripting/imports.ts'
import { linkWorkflowToWebtasks } from '../../webtasks/webtask-links.ts'
import { listOpenRunDefinitions, type WorkflowKey } from '../workflow-repository.ts'
import { collectWorkflowContents } from './definition-contents.ts'
import type { WorkflowDefinition } from './workflow-definition.ts'

/** The webtasks that nodes of a definition run. */
export function listNodeWebtasks(definition: WorkflowDefinition): number[] {
  const { references } = collectWorkflowContents(definition)
  return references.flatMap(({ kind, id }) => (kind === 'webtask' ? Number(id) : []))
}

/** Throws 403 unless a key has the rights that the webtasks need which nodes run, but for those that ran before. */
export async function requireWebtaskRights(
  tx: Db,
  account: AccountId,
  { before, after }: { before: WorkflowDefinition | null; after: WorkflowDefinition },
  rights: readonly AccessRight[],
): Promise<void> {
  const knownIds = before ? listNodeWebtasks(before) : []
  const addedIds = listNodeWebtasks(after).filter((id) => !knownIds.includes(id))
  if (addedIds.length === 0) return
  const { rows } = await sql<{ capability: string }>`
    select distinct jsonb_array_elements_text(scripting #> '{environment,capabilities}') as capability
    from webtasks where account = ${account} and id = any(${addedIds}::integer[]) order by 1`.execute(tx)
  requireCapabilityRights(
    rows.map(({ capability }) => capability),
    [],
    rights,
  )
}

/** The webtasks that a definition names: those that nodes run, and those that its scripts import. */
export const listNamedWebtasks = (definition: WorkflowDefinition): number[] => [
  ...listNodeWebtasks(definition),
  ...listImportedWebtaskIds(definition.scripting.imports),
]

/** Those of some webtasks that there still are; they are not deleted until the transaction ends. */
async function lockExistingWebtasks(tx: Db, account: AccountId, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select id from webtasks where account = ${account} and id = any(${ids}::integer[]) order by id for key share`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/**
 * Keeps the webtasks that an active workflow names from being deleted, also those of earlier definitions by which runs go on; null: it is
 * active no more.
 */
export async function linkNamedWebtasks(
  tx: Db,
  key: WorkflowKey,
  definition: WorkflowDefinition | null,
): Promise<void> {
  const openRunWebtasks = definition ? (await listOpenRunDefinitions(tx, key)).flatMap(listNamedWebtasks) : []
  const webtaskIds = definition
    ? [...listNamedWebtasks(definition), ...(await lockExistingWebtasks(tx, key.account, openRunWebtasks))]
    : []
  await linkWorkflowToWebtasks(tx, key, [...new Set(webtaskIds)])
}
