import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId, Right } from '../../../lib/account.ts'
import { refuseCapabilities } from '../../../scripting/capabilities.ts'
import { webtasksIn } from '../../../scripting/imports.ts'
import { linkWorkflow } from '../../webtasks/webtask-links.ts'
import { openDefinitions, type WorkflowKey } from '../stored.ts'
import { contentsOf } from './contents.ts'
import type { Definition } from './definition.ts'

/** The webtasks that nodes of a definition run. */
export function webtasksOfNodes(definition: Definition): number[] {
  const { references } = contentsOf(definition)
  return references.flatMap(({ kind, id }) => (kind === 'webtask' ? Number(id) : []))
}

/** Throws 403 unless a key has the rights that the webtasks need which nodes run, but for those that ran before. */
export async function refuseWebtasks(
  tx: Db,
  account: AccountId,
  { before, after }: { before: Definition | null; after: Definition },
  rights: readonly Right[],
): Promise<void> {
  const known = before ? webtasksOfNodes(before) : []
  const added = webtasksOfNodes(after).filter((id) => !known.includes(id))
  if (added.length === 0) return
  const { rows } = await sql<{ capability: string }>`
    select distinct jsonb_array_elements_text(scripting #> '{environment,capabilities}') as capability
    from webtasks where account = ${account} and id = any(${added}::integer[]) order by 1`.execute(tx)
  refuseCapabilities(
    rows.map(({ capability }) => capability),
    [],
    rights,
  )
}

/** The webtasks that a definition names: those that nodes run, and those that its scripts import. */
export const webtasksNamed = (definition: Definition): number[] => [
  ...webtasksOfNodes(definition),
  ...webtasksIn(definition.scripting.imports),
]

/** Those of some webtasks that there still are; they are not deleted until the transaction ends. */
async function holdPresent(tx: Db, account: AccountId, ids: readonly number[]): Promise<number[]> {
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
export async function holdWebtasks(tx: Db, key: WorkflowKey, definition: Definition | null): Promise<void> {
  const earlier = definition ? (await openDefinitions(tx, key)).flatMap(webtasksNamed) : []
  const named = definition ? [...webtasksNamed(definition), ...(await holdPresent(tx, key.account, earlier))] : []
  await linkWorkflow(tx, key, [...new Set(named)])
}
