import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { SENDING_CAPABILITY } from '../../scripting/capabilities.ts'

/**
 * Returns true if a change of a script takes effect at once for other users: an active workflow names it or a script that imports or uses
 * it, or a public webtask that may send runs it.
 */
async function isScriptLive(
  db: Db,
  account: AccountId,
  { webtask = null, compilable = null }: { webtask?: number | null; compilable?: string | null },
): Promise<boolean> {
  const { rows } = await sql<{ live: boolean }>`
    with recursive users (webtask, compilable) as (
      select ${webtask}::integer, ${compilable}::uuid
      union
      select u.webtask, u.compilable from users r cross join lateral (
        select i.webtask, null::uuid as compilable from webtask_imports i
        where i.account = ${account} and i.imported = r.webtask
        union all
        select null, u.compilable from compilable_uses u
        where u.account = ${account} and (u.kind, u.used) in (('webtask', r.webtask::text), ('compilable', r.compilable::text))
      ) as u
    )
    select exists (
      select from users r join workflow_webtasks l on l.account = ${account} and l.webtask = r.webtask
      union all
      select from users r join workflow_compilables l on l.account = ${account} and l.compilable = r.compilable
      union all
      select from users r join webtasks w on w.account = ${account} and w.id = r.webtask
      where (w.settings #> '{public,enabled}')::boolean and w.scripting #> '{environment,capabilities}' ? ${SENDING_CAPABILITY}
    ) as live`.execute(db)
  return rows[0]?.live ?? false
}

const alternativeText =
  'Deactivate the workflow, make the change, and have the workflow approved again. Use a key to change a public webtask.'
const describeLiveUse = (title: string): string =>
  `a ${title} that runs in an active workflow, or in a public webtask that sends`

/** Rule for changes of live webtasks. */
export const liveWebtaskRule = {
  what: describeLiveUse('webtask'),
  asksApproval: true,
  instead: alternativeText,
  isLive: (tx: Db, { account, id }: { account: AccountId; id: number }) => isScriptLive(tx, account, { webtask: id }),
}

/** Rule for changes of live compilables. */
export const liveCompilableRule = {
  what: describeLiveUse('compilable'),
  asksApproval: true,
  instead: alternativeText,
  isLive: (tx: Db, { account, id }: { account: AccountId; id: string }) =>
    isScriptLive(tx, account, { compilable: id }),
}
