import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { conflict } from '../../lib/errors/problem.ts'
import { hasErrors } from '../../scripting/flaws.ts'
import { flawsOfWebtask } from './check.ts'
import { loadWebtask, type WebtaskKey } from './stored.ts'
import type { Link } from './webtask-links.ts'

/** The webtasks whose scripts import one, also by way of others. */
async function importersOf({ db }: Pick<Context, 'db'>, { account, id }: WebtaskKey): Promise<Link[]> {
  const { rows } = await sql<Link>`
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
export async function refuseBrokenImporters(context: Pick<Context, 'db' | 'sandbox'>, key: WebtaskKey): Promise<void> {
  const { account } = key
  const checked = (await importersOf(context, key)).map(async (link) => {
    const content = await loadWebtask(context.db, { account, id: link.id })
    return hasErrors(await flawsOfWebtask(context, account, content, link.id)) ? [link] : []
  })
  const links = (await Promise.all(checked)).flat()
  if (links.length === 0) return
  const named = links.map(({ id, name }) => `webtask ${id} (${name})`).join(', ')
  throw conflict('in-use', `With this script ${named} could not run any more: change what they import first.`, {
    links,
  })
}
