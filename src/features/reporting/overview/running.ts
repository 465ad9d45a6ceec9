import { sql } from 'kysely'
import { getActionFamily } from '../../../channels/action-families.ts'
import { type ChannelActionType, campaignActionTypes } from '../../../channels/channel-traits.ts'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { readSendingFigures, type SendingFigures } from '../../../sending/plan/sendings.ts'
import type { PlannedOverviewEntry, RunningOverviewEntry } from './overview-schemas.ts'

/** Maximum for each type. */
const MAX_SHOWN_PER_TYPE = 100
const MAX_PLANNED = 20

interface ActionRow {
  id: number
  type: ChannelActionType
  name: string
  state: number
  sending: number | null
  since: Date | null
}

const stateNames: Readonly<Record<number, RunningOverviewEntry['state']>> = {
  30: 'testing',
  35: 'testing',
  36: 'testing',
  40: 'validating',
  55: 'sending',
}

function computeProgress(figures: SendingFigures | undefined): RunningOverviewEntry['progress'] {
  if (figures === undefined) return null
  const { recipients, sent: sentCount, refused: refusedCount, cancelled, held: heldCount } = figures
  return { done: sentCount + refusedCount + cancelled + heldCount, total: recipients }
}

/** Actions that are tested, validated or sent. */
async function listRunningActions(db: Db, account: AccountId): Promise<RunningOverviewEntry[]> {
  const { rows } = await sql<ActionRow>`
    select id, type, name, state, case when state = 55 then sending end as sending,
      case when state = 55 then started_at else (last_validation->>'startedAt')::timestamptz end as since
    from actions where account = ${account} and deleted_at is null and state in (30, 35, 36, 40, 55)
    order by id desc limit ${MAX_SHOWN_PER_TYPE}`.execute(db)
  const figures = await readSendingFigures(
    db,
    rows.flatMap(({ sending }) => sending ?? []),
  )
  return rows.map(({ id, type, name, state, sending, since }) => {
    const actionFigures = sending === null ? undefined : figures.get(sending)
    return {
      type,
      id: getActionFamily(type).showId(id),
      name,
      state: actionFigures?.paused ? 'paused' : (stateNames[state] ?? 'running'),
      since: since?.toISOString() ?? null,
      progress: computeProgress(actionFigures),
    }
  })
}

interface OtherRow extends Omit<RunningOverviewEntry, 'since' | 'progress'> {
  since: Date | null
  done: number | null
  total: number | null
}

/** Runs of notifications and imports, jobs, and workflows that take contacts. */
async function listRunningOthers(db: Db, account: AccountId): Promise<RunningOverviewEntry[]> {
  const { rows } = await sql<OtherRow>`
    (select ${pushChannelTraits.name} as type, to_json(n.id) as id, n.name, case when s.paused then 'paused' else 'sending' end as state,
        s.created_at as since, (select coalesce(sum(c.sent + c.refused + c.cancelled + c.held), 0)::bigint
          from sending_counts c where c.sending = s.id) as done,
        (select coalesce(sum(c.recipients), 0)::bigint from sending_counts c where c.sending = s.id) as total
      from sendings s join notifications n on n.account = s.account and n.id = s.source
      where s.account = ${account} and s.source_kind = ${pushChannelTraits.sourceKind} and s.kind <> 'message'
        and s.state in ('planning', 'running')
      order by s.id desc limit ${MAX_SHOWN_PER_TYPE})
    union all
    (select 'import', to_json(i.id), i.name, 'running', e.started_at, e.bytes, e.total
      from import_executions e join imports i on i.account = e.account and i.id = e.import
      where e.account = ${account} and e.state = 0 order by e.id desc limit ${MAX_SHOWN_PER_TYPE})
    union all
    (select 'job', to_json(id), type, state, coalesce(started_at, created_at), done, total
      from jobs where account = ${account} and state in ('queued', 'running') order by id desc limit ${MAX_SHOWN_PER_TYPE})
    union all
    (select 'workflow', to_json(id), name, 'active', state_since, null, null
      from workflows where account = ${account} and deleted_at is null and state = 1
      order by state_since desc limit ${MAX_SHOWN_PER_TYPE})`.execute(db)
  return rows.map(({ since, done, total, ...row }) => ({
    ...row,
    since: since?.toISOString() ?? null,
    progress: done === null ? null : { done, total },
  }))
}

/** Lists the runs in progress of an account. */
export async function listOverviewRunning(db: Db, account: AccountId): Promise<RunningOverviewEntry[]> {
  const [actions, otherRuns] = await Promise.all([listRunningActions(db, account), listRunningOthers(db, account)])
  return [...actions, ...otherRuns]
}

interface PlannedRow {
  id: number
  type: ChannelActionType | typeof pushChannelTraits.name
  name: string
  at: Date | null
}

/** Lists scheduled sends: campaigns that are validated, and notifications with a next run. */
export async function listOverviewPlanned(db: Db, account: AccountId): Promise<PlannedOverviewEntry[]> {
  const { rows } = await sql<PlannedRow>`
    select * from (
      select id, type, name, (scheduler->>'startsAt')::timestamptz as at from actions
      where account = ${account} and deleted_at is null and state = 50 and type = any(${campaignActionTypes}::text[])
      union all
      select id, ${pushChannelTraits.name}, name, next_run_at from notifications
      where account = ${account} and deleted_at is null and active and next_run_at is not null) as planned
    order by at, type, id limit ${MAX_PLANNED}`.execute(db)
  return rows.map(({ id, type, name, at }) => {
    const actionType = campaignActionTypes.find((campaignType) => campaignType === type)
    return {
      type,
      id: actionType ? getActionFamily(actionType).showId(id) : id,
      name,
      startDate: at?.toISOString() ?? null,
    }
  }) as PlannedOverviewEntry[]
}
