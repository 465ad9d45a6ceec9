import { sql } from 'kysely'
import { getActionFamily } from '../../../channels/action-families.ts'
import type { ChannelActionType } from '../../../channels/channel-traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { FailedOverviewEntry } from './overview-schemas.ts'

const FAILURE_DAYS = 7
const MAX_SHOWN_FAILURES = 50

interface FailureRow {
  type: FailedOverviewEntry['type']
  id: number | string
  name: string | null
  at: Date | null
  detail: string | null
  /** Set for actions: their number. */
  isAction: boolean
}

/** Default explanation of a failure without one, by its type; for actions: their proofs. */
const defaultExplanation = 'No proof was accepted.'

/** Lists the failures of the last seven days, newest first; `now` in milliseconds. Runs that are no longer stored failed in their hour. */
export async function listOverviewFailures(db: Db, account: AccountId, now: number): Promise<FailedOverviewEntry[]> {
  const earliestFailure = new Date(now - FAILURE_DAYS * 24 * 3600 * 1000)
  const { rows } = await sql<FailureRow>`
    select * from (
      select type, to_json(id) as id, name, (last_validation->>'endedAt')::timestamptz as at,
        last_validation#>>'{errors,0,detail}' as detail, true as "isAction"
      from actions where account = ${account} and deleted_at is null
        and last_validation->>'result' in ('failed', 'repair') and (last_validation->>'endedAt')::timestamptz >= ${earliestFailure}
      union all
      select 'import', to_json(i.id), i.name, e.ended_at, e.error->>'detail', false
      from import_executions e join imports i on i.account = e.account and i.id = e.import
      where e.account = ${account} and e.state = 2 and e.ended_at >= ${earliestFailure}
      union all
      select 'job', to_json(id), type, ended_at, error->>'detail', false
      from jobs where account = ${account} and state = 'failed' and ended_at >= ${earliestFailure}
      union all
      select 'webhook', to_json(id), name, last_failure_at,
        case state when 'suspended' then 'It is suspended: its receiver was away for too long, or is gone.'
          else 'Its receiver refuses, or does not answer.' end, false
      from webhooks where account = ${account} and state <> 'ok'
      union all
      select 'workflow', to_json(w.id), w.name, coalesce((
          select max(r.ended_at) from workflow_runs r
          where r.account = ${account} and r.workflow = w.id and r.status = 'failed' and r.ended_at >= max(c.hour)), max(c.hour)),
        sum(c.n) || ' of its runs failed.', false
      from workflow_counts c join workflows w on w.account = c.account and w.id = c.workflow
      where c.account = ${account} and c.hour >= ${earliestFailure} and c.subject = 'run' and c.name = 'failed'
        and w.deleted_at is null
      group by w.id, w.name) as failed
    order by at desc nulls last, type, id::text limit ${MAX_SHOWN_FAILURES}`.execute(db)
  return rows.map(({ type, id, name, at, detail, isAction }) => ({
    type,
    id: isAction ? getActionFamily(type as ChannelActionType).showId(Number(id)) : id,
    name,
    date: at?.toISOString() ?? null,
    detail: detail ?? defaultExplanation,
  }))
}
