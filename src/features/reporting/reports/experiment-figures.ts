import { type RawBuilder, sql } from 'kysely'
import { familyNamed } from '../../../channels/families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { heldOutOf, readHeldOut } from '../../../sending/plan/audience-shares.ts'
import { readExperiment } from '../../actions/experiments/result.ts'
import { loadRunExperiment } from '../../actions/experiments/runs.ts'
import { hasGoal, olderReached, reachedRows } from '../../actions/goals/goal-figures.ts'
import { loadAction } from '../../actions/resource/action-repository.ts'
import type { WantedEvents } from '../../events/history/older-wanted.ts'
import type { Report } from './report-schemas.ts'
import type { Reported } from './reported.ts'

/** Who is held out of what is reported of, and how its experiment stands; null where it has none. */
export async function experimentFigures(
  db: Db,
  { account, source, sourceKind, isCampaign, sending }: Reported,
  now: Date,
): Promise<Pick<Report, 'holdout' | 'experiment'>> {
  const family = familyNamed(sourceKind)
  if (!isCampaign || !family) return { holdout: 0, experiment: null }
  const experiment = await readExperiment(db, await loadAction(db, { family, account, id: source }), now)
  return { holdout: sending === null ? 0 : await readHeldOut(db, sending), experiment }
}

/** Rows of contacts with when something happened to them: key, contact, address, stamp, at, detail. */
const contactRows = ({ account, sending }: Reported, contacts: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select lpad(h.contact::text, 19, '0') as key, h.contact, c.fields ->> v.address_field as address,
    null::uuid as stamp, h.at, null as detail
  from (${contacts}) h join sendings g on g.id = ${sending} join content_versions v on v.id = g.version
    left join contacts c on c.account = ${account} and c.id = h.contact`

/** Rows of those held out. They write no event: the plan of the campaign knows them. */
export const heldOutRows = (reported: Reported): RawBuilder<unknown> =>
  contactRows(reported, sql`select contact, created_at as at from (${heldOutOf(reported.sending)}) o`)

/** Rows of a list, and which events they are read of. */
export interface EventRows {
  wanted: readonly WantedEvents[]
  rows: (events: RawBuilder<unknown>) => RawBuilder<unknown>
}

/** Rows of those who reached the goal, of a version, or of those held out (`holdout`); undefined where there is no such goal. */
export async function goalRows(db: Db, reported: Reported, of: string): Promise<EventRows | undefined> {
  const { account, source, sourceKind, channel, sending } = reported
  const family = familyNamed(sourceKind)
  const run = sending === null ? undefined : await loadRunExperiment(db, sending)
  if (!run || !family || !hasGoal(run)) return undefined
  const version = run.versions.find(({ id }) => id === of)?.version
  if (version === undefined && of !== 'holdout') return undefined
  const { started_at: startedAt } = await loadAction(db, { family, account, id: source })
  const goalRun = { run, channel, startedAt: startedAt! }
  return {
    wanted: run.goal_counted_at ? [] : olderReached(goalRun),
    rows: (events) => contactRows(reported, reachedRows(events, goalRun, version ?? null)),
  }
}

/** The condition that a message `o` was sent as the share of a version; undefined where there is no such version. */
export async function isOfVersion(
  db: Db,
  { account, sending }: Reported,
  id: string,
): Promise<RawBuilder<unknown> | undefined> {
  const run = sending === null ? undefined : await loadRunExperiment(db, sending)
  const version = run?.versions.find((one) => one.id === id)?.version
  if (version === undefined) return undefined
  return sql`o.outcome = 'sent' and exists (
    select from sent_messages s where s.account = ${account} and s.stamp = o.stamp and s.version = ${version})`
}
