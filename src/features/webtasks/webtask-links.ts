import { sql } from 'kysely'
import { type Db, inSavepoint } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import type { AccountId } from '../../lib/account.ts'
import { conflictProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import type { WebtaskKey } from './stored.ts'

/** Something that needs a webtask. */
export interface WebtaskLink {
  type: 'workflow' | 'webtask'
  id: number
  name: string
}

/** The active workflows that name a webtask, and the webtasks that import it. */
async function listWebtaskLinks(db: Db, { account, id }: WebtaskKey): Promise<WebtaskLink[]> {
  const { rows } = await sql<WebtaskLink>`
    select 'workflow' as type, w.id, w.name from workflow_webtasks l join workflows w on w.account = l.account and w.id = l.workflow
    where l.account = ${account} and l.webtask = ${id}
    union all
    select 'webtask', w.id, w.name from webtask_imports l join webtasks w on w.account = l.account and w.id = l.webtask
    where l.account = ${account} and l.imported = ${id}
    order by type desc, id`.execute(db)
  return rows
}

/** Links a workflow, which is active, to the webtasks it names: they cannot be deleted. */
export async function linkWorkflowToWebtasks(
  tx: Db,
  { account, id }: { account: AccountId; id: number },
  webtasks: readonly number[],
): Promise<void> {
  await sql`
    delete from workflow_webtasks where account = ${account} and workflow = ${id} and webtask <> all(${webtasks}::integer[])`.execute(
    tx,
  )
  if (webtasks.length === 0) return
  const linkQuery = sql`
    insert into workflow_webtasks (account, workflow, webtask)
    select ${account}, ${id}, unnest(${webtasks}::integer[]) on conflict do nothing`.execute(tx)
  await mapConstraintErrors(linkQuery, {
    foreignKey: () => conflictProblem('webtask-gone', 'A webtask was deleted in the meantime. Send the request again.'),
  })
}

/** Deletes a webtask with its runs; its tokens are good for nothing. Throws notFound, conflict `in-use` naming what needs it. */
export async function deleteWebtask(db: Db, key: WebtaskKey): Promise<void> {
  const { account, id } = key
  const deleteQuery = inSavepoint(db, async (tx) => {
    const { rows } = await sql`delete from webtasks where account = ${account} and id = ${id} returning id`.execute(tx)
    if (rows.length === 0) throw notFoundProblem('webtask', id)
    await sql`delete from webtask_runs where account = ${account} and webtask = ${id}`.execute(tx)
  })
  const inUseProblem = conflictProblem('in-use', 'The webtask is in use.')
  try {
    await mapConstraintErrors(deleteQuery, { foreignKey: () => inUseProblem })
  } catch (error) {
    if (error !== inUseProblem) throw error
    // The foreign keys refused; the links are for the answer, and never checked first.
    const links = await listWebtaskLinks(db, key)
    const linkNames = links.map(({ type, id: linked, name }) => `${type} ${linked} (${name})`).join(', ')
    throw conflictProblem('in-use', `Webtask ${id} is used by ${linkNames}.`, { links })
  }
}
