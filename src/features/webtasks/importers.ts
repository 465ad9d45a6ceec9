import { sql } from 'kysely'
import type { ServiceContext } from '../../context.ts'
import { conflictProblem } from '../../lib/errors/problem.ts'
import { hasErrorFlaws } from '../../scripting/flaws.ts'
import { findWebtaskFlaws } from './check.ts'
import { loadWebtask, type WebtaskKey } from './stored.ts'
import type { WebtaskLink } from './webtask-links.ts'

/** The webtasks whose scripts import one, also by way of others. */
async function listImporters({ db }: Pick<ServiceContext, 'db'>, { account, id }: WebtaskKey): Promise<WebtaskLink[]> {
  const { rows } = await sql<WebtaskLink>`
    with recursive reached (id) as (
      select ${id}::integer
      union
      select i.webtask from reached r join webtask_imports i on i.account = ${account} and i.imported = r.id)
    select 'webtask' as type, w.id, w.name from reached r join webtasks w on w.account = ${account} and w.id = r.id
    where w.id <> ${id} order by w.id`.execute(db)
  return rows
}

/**
 * Throws conflict `in-use` with `links` to webtasks that could not run any more as one of them is stored now, such as by an export that
 * they import.
 */
export async function requireRunnableImporters(
  context: Pick<ServiceContext, 'db' | 'sandbox'>,
  key: WebtaskKey,
): Promise<void> {
  const { account } = key
  const flawChecks = (await listImporters(context, key)).map(async (link) => {
    const content = await loadWebtask(context.db, { account, id: link.id })
    return hasErrorFlaws(await findWebtaskFlaws(context, account, content, link.id)) ? [link] : []
  })
  const links = (await Promise.all(flawChecks)).flat()
  if (links.length === 0) return
  const importerNames = links.map(({ id, name }) => `webtask ${id} (${name})`).join(', ')
  throw conflictProblem(
    'in-use',
    `With this script, ${importerNames} could no longer run. Change their imports first.`,
    {
      links,
    },
  )
}
