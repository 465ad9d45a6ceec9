import { type RawBuilder, sql } from 'kysely'
import { findActionFamily } from '../../../channels/action-families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { countHeldOutContacts, selectHeldOutContacts } from '../../../sending/plan/audience-shares.ts'
import { readExperimentResult } from '../../actions/experiments/result.ts'
import { loadRunExperiment } from '../../actions/experiments/runs.ts'
import { buildGoalRunEventFilter, hasGoal, selectGoalContacts } from '../../actions/goals/goal-figures.ts'
import { loadAction } from '../../actions/resource/action-repository.ts'
import type { EventReadScope } from '../../events/history/older-wanted.ts'
import type { ReportResource } from './report-schemas.ts'
import type { ReportSubject } from './reported.ts'

/** Reads the number of contacts in the control group of a report, and the state of its experiment. `null` if it has none. */
export async function readExperimentFigures(
  db: Db,
  { account, source, sourceKind, isCampaign, sending }: ReportSubject,
  now: Date,
): Promise<Pick<ReportResource, 'holdout' | 'experiment'>> {
  const family = findActionFamily(sourceKind)
  if (!isCampaign || !family) return { holdout: 0, experiment: null }
  const experiment = await readExperimentResult(db, await loadAction(db, { family, account, id: source }), now)
  return { holdout: sending === null ? 0 : await countHeldOutContacts(db, sending), experiment }
}

/** Rows of contacts with when something happened to them: key, contact, address, stamp, at, detail. */
const selectContactRows = (
  { account, sending }: ReportSubject,
  contacts: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select lpad(h.contact::text, 19, '0') as key, h.contact, c.fields ->> v.address_field as address,
    null::uuid as stamp, h.at, null as detail
  from (${contacts}) h join sendings g on g.id = ${sending} join content_versions v on v.id = g.version
    left join contacts c on c.account = ${account} and c.id = h.contact`

/** Rows of those held out. They write no event: the plan of the campaign knows them. */
export const heldOutContactRows = (reported: ReportSubject): RawBuilder<unknown> =>
  selectContactRows(reported, sql`select contact, created_at as at from (${selectHeldOutContacts(reported.sending)}) o`)

/** Rows of a list, and which events they are read of. */
export interface ReportEventRows {
  wanted: readonly EventReadScope[]
  rows: (events: RawBuilder<unknown>) => RawBuilder<unknown>
}

/** Rows of those who reached the goal, of a version, or of those held out (`holdout`); undefined where there is no such goal. */
export async function goalContactRows(
  db: Db,
  reported: ReportSubject,
  of: string,
): Promise<ReportEventRows | undefined> {
  const { account, source, sourceKind, channel, sending } = reported
  const family = findActionFamily(sourceKind)
  const run = sending === null ? undefined : await loadRunExperiment(db, sending)
  if (!run || !family || !hasGoal(run)) return undefined
  const version = run.versions.find(({ id }) => id === of)?.version
  if (version === undefined && of !== 'holdout') return undefined
  const { started_at: startedAt } = await loadAction(db, { family, account, id: source })
  const goalRun = { run, channel, startedAt: startedAt! }
  return {
    wanted: run.goal_counted_at ? [] : buildGoalRunEventFilter(goalRun),
    rows: (events) => selectContactRows(reported, selectGoalContacts(events, goalRun, version ?? null)),
  }
}

/** The condition that a message `o` was sent as the share of a version; undefined where there is no such version. */
export async function isVersionMessageSql(
  db: Db,
  { account, sending }: ReportSubject,
  id: string,
): Promise<RawBuilder<unknown> | undefined> {
  const run = sending === null ? undefined : await loadRunExperiment(db, sending)
  const version = run?.versions.find((experimentVersion) => experimentVersion.id === id)?.version
  if (version === undefined) return undefined
  return sql`o.outcome = 'sent' and exists (
    select from sent_messages s where s.account = ${account} and s.stamp = o.stamp and s.version = ${version})`
}
