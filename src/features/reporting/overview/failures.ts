import { sql } from 'kysely'
import type { ChannelActionType } from '../../../channels/facts.ts'
import { getActionFamily } from '../../../channels/families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { FailedOverviewEntry } from './overview-schemas.ts'

const DAYS = 7
const MAX_SHOWN = 50

interface Row {
  type: FailedOverviewEntry['type']
  id: number | string
  name: string | null
  at: Date | null
  detail: string | null
  /** Of an action: its number. */
  isAction: boolean
}

/** What is said of a failure that says nothing itself, by its type; actions: their proofs. */
const unexplained = 'No proof was accepted.'

/** What failed in the last seven days, newest first; `now` in milliseconds. */
export async function listOverviewFailures(db: Db, account: AccountId, now: number): Promise<FailedOverviewEntry[]> {
  const since = new Date(now - DAYS * 24 * 3600 * 1000)
  const { rows } = await sql<Row>`
    select * from (
      select type, to_json(id) as id, name, (last_validation->>'endedAt')::timestamptz as at,
        last_validation#>>'{errors,0,detail}' as detail, true as "isAction"
      from actions where account = ${account} and deleted_at is null
        and last_validation->>'result' in ('failed', 'repair') and (last_validation->>'endedAt')::timestamptz >= ${since}
      union all
      select 'import', to_json(i.id), i.name, e.ended_at, e.error->>'detail', false
      from import_executions e join imports i on i.account = e.account and i.id = e.import
      where e.account = ${account} and e.state = 2 and e.ended_at >= ${since}
      union all
      select 'job', to_json(id), type, ended_at, error->>'detail', false
      from jobs where account = ${account} and state = 'failed' and ended_at >= ${since}
      union all
      select 'webhook', to_json(id), name, last_failure_at,
        case state when 'suspended' then 'It is suspended: its receiver was away for too long, or is gone.'
          else 'Its receiver refuses, or does not answer.' end, false
      from webhooks where account = ${account} and state <> 'ok'
      union all
      select 'workflow', to_json(w.id), w.name, max(c.hour)::timestamptz, sum(c.n) || ' of its runs failed.', false
      from workflow_counts c join workflows w on w.account = c.account and w.id = c.workflow
      where c.account = ${account} and c.hour >= ${since} and c.subject = 'run' and c.name = 'failed'
        and w.deleted_at is null
      group by w.id, w.name) as failed
    order by at desc nulls last, type, id::text limit ${MAX_SHOWN}`.execute(db)
  return rows.map(({ type, id, name, at, detail, isAction }) => ({
    type,
    id: isAction ? getActionFamily(type as ChannelActionType).showId(Number(id)) : id,
    name,
    date: at?.toISOString() ?? null,
    detail: detail ?? unexplained,
  }))
}
