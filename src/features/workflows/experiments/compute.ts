import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import { listBackoffSubjects, runBatchOrIsolated } from '../../../jobs/failures.ts'
import { type ConversionCounts, estimateConversionRates } from '../../../lib/beta.ts'
import { type ExperimentKey, type ExperimentSettings, type ExperimentState, HELD_OUT_BRANCH } from './experiment.ts'

interface Delta extends ExperimentKey, ConversionCounts {
  branch: string
}

/** The least share of a branch of a bandit. */
const LEAST_SHARE = 0.05
/** Visits that are counted in one transaction. */
const AT_ONCE = 20_000

const TASK = 'compute experiments'
const EXPERIMENT = 'experiment '

const NONE: ConversionCounts = { visits: 0, conversions: 0 }

/** Visits that are old enough to be counted, and counted ones that converted since, where a condition is met. */
const dueVisits = (now: number, condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
    (select account, workflow, node, fingerprint, run, visit from workflow_experiment_visits v
     where counted = 0 and until <= ${new Date(now)} and ${condition} order by until limit ${AT_ONCE})
    union all
    (select account, workflow, node, fingerprint, run, visit from workflow_experiment_visits v
     where counted = 1 and converted_at is not null and ${condition} order by account limit ${AT_ONCE}))`

/** Condition: a visit is of one of these experiments. */
const isOf = (keys: readonly ExperimentKey[]): RawBuilder<unknown> => sql`
  (v.account, v.workflow, v.node, v.fingerprint) in (
    select k.account, k.workflow, k.node, k.fingerprint
    from jsonb_to_recordset(${toJsonbText(keys)}::jsonb) as k (account integer, workflow integer, node text, fingerprint text))`

/** Experiments that have visits to count; those that failed lately are left out. */
async function dueExperiments(db: Db, now: number): Promise<ExperimentKey[]> {
  const resting = listBackoffSubjects(db, TASK).map(keyOfSubject)
  const { rows } = await sql<ExperimentKey>`
    select distinct account, workflow, node, fingerprint from ${dueVisits(now, sql`not ${isOf(resting)}`)} d
    order by 1, 2, 3, 4`.execute(db)
  return rows
}

/** Marks visits of experiments that are old enough as counted, and conversions that came after; gives what there is to be added. */
async function countVisits(tx: Db, keys: readonly ExperimentKey[], now: number): Promise<Delta[]> {
  const { rows } = await sql<Delta>`
    with due as ${dueVisits(now, isOf(keys))},
    locked as (
      select v.account, v.workflow, v.node, v.fingerprint, v.run, v.visit
      from due d join workflow_experiment_visits v using (account, workflow, node, fingerprint, run, visit)
      order by v.account, v.run, v.visit for update of v
    ), marked as (
      update workflow_experiment_visits v set counted = 1 + (v.converted_at is not null)::integer from locked l
      where (v.account, v.workflow, v.node, v.fingerprint, v.run, v.visit) = (l.account, l.workflow, l.node, l.fingerprint, l.run, l.visit)
      returning v.account, v.workflow, v.node, v.fingerprint, v.branch, old.counted as before, new.counted as after
    )
    select account, workflow, node, fingerprint, branch, count(*) filter (where before = 0)::integer as visits,
      count(*) filter (where before < 2 and after = 2)::integer as conversions
    from marked group by 1, 2, 3, 4, 5`.execute(tx)
  return rows
}

/** The shares of a bandit: as likely as each is the best, and never less than the least. */
function sharesOf(probabilities: Readonly<Record<string, number>>): Record<string, number> {
  const names = Object.keys(probabilities)
  const free = 1 - names.length * LEAST_SHARE
  return Object.fromEntries(names.map((name) => [name, LEAST_SHARE + free * probabilities[name]!]))
}

/** What is known of an experiment, with counts added. */
export function computeExperimentState(
  { branches, method, minimum, confidence }: ExperimentSettings,
  state: ExperimentState,
  { added, now }: { added: Readonly<Record<string, ConversionCounts>>; now: number },
): ExperimentState {
  const counts: Record<string, ConversionCounts> = { ...state.counts }
  for (const [branch, { visits, conversions }] of Object.entries(added)) {
    const known = counts[branch] ?? NONE
    counts[branch] = { visits: known.visits + visits, conversions: known.conversions + conversions }
  }
  const ids = branches.map(({ id }) => id)
  const beliefs = estimateConversionRates(ids.map((id) => counts[id] ?? NONE))
  const probabilities = Object.fromEntries(ids.map((id, index) => [id, beliefs[index]!.probability]))
  const [best = '', probability = 0] =
    Object.entries(probabilities).toSorted(([, one], [, other]) => other - one)[0] ?? []
  const isReady = ids.every((id) => (counts[id] ?? NONE).visits >= minimum) && probability >= confidence / 100
  const known = state.winner && ids.includes(state.winner.branch) ? state.winner : null
  const found = method === 'fixed' && isReady ? { branch: best, since: new Date(now).toISOString(), probability } : null
  return { counts, probabilities, shares: sharesOf(probabilities), winner: known ?? found }
}

async function addTo(
  tx: Db,
  key: ExperimentKey,
  added: Readonly<Record<string, ConversionCounts>>,
  now: number,
): Promise<void> {
  const { account, workflow, node, fingerprint } = key
  const own = sql`account = ${account} and workflow = ${workflow} and node = ${node} and fingerprint = ${fingerprint}`
  const { rows } = await sql<{ settings: ExperimentSettings; state: ExperimentState }>`
    select settings, state from workflow_experiments where ${own} for update`.execute(tx)
  const [row] = rows
  if (!row) return
  const state = computeExperimentState(row.settings, row.state, { added, now })
  await sql`
    update workflow_experiments set state = ${toJsonbText(state)}::jsonb, computed_at = ${new Date(now)} where ${own}`.execute(
    tx,
  )
}

const nameOf = ({ account, workflow, node, fingerprint }: ExperimentKey): string =>
  JSON.stringify([account, workflow, node, fingerprint])

const subjectOf = (key: ExperimentKey): string => `${EXPERIMENT}${nameOf(key)}`

function keyOfSubject(subject: string): ExperimentKey {
  const [account, workflow, node, fingerprint] = JSON.parse(subject.slice(EXPERIMENT.length))
  return { account, workflow, node, fingerprint }
}

/** Counts visits of some experiments in one transaction; gives how many there were. */
function computeTogether(db: Db, keys: readonly ExperimentKey[], now: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const groups = [...Map.groupBy(await countVisits(tx, keys, now), nameOf)].toSorted(([one], [other]) =>
      one < other ? -1 : 1,
    )
    for (const [, group] of groups) {
      const added = Object.fromEntries(
        group.map(({ branch, visits, conversions }) => [branch, { visits, conversions }] as const),
      )
      await addTo(tx, group[0]!, added, now)
    }
    return groups.flatMap(([, group]) => group).reduce((sum, { visits, conversions }) => sum + visits + conversions, 0)
  })
}

/**
 * Counts visits of all experiments that are old enough, and computes again what is known of them. An experiment that fails holds
 * up no other. Gives how many visits were counted.
 */
export async function computeExperiments(db: Db, now: number): Promise<number> {
  let counted = 0
  const work = async (keys: readonly ExperimentKey[]) => void (counted += await computeTogether(db, keys, now))
  await runBatchOrIsolated(db, TASK, await dueExperiments(db, now), { subjectOf, work })
  return counted
}

/** One branch, as the interface shows it. */
function shownCounts(branch: string, pending: Readonly<Record<string, number>>, { counts }: ExperimentState) {
  const { visits: counted, conversions } = counts?.[branch] ?? NONE
  return {
    visits: counted + (pending[branch] ?? 0),
    counted,
    conversions,
    rate: counted === 0 ? null : conversions / counted,
  }
}

/** What is known of an experiment, by its settings as they are now. */
export async function readExperimentState(db: Db, key: ExperimentKey, settings: ExperimentSettings) {
  const { account, workflow, node, fingerprint } = key
  const own = sql`account = ${account} and workflow = ${workflow} and node = ${node} and fingerprint = ${fingerprint}`
  const { rows } = await sql<{
    state: ExperimentState
    computedAt: Date | null
    pending: Readonly<Record<string, number>>
  }>`
    select state, computed_at as "computedAt", (
      select coalesce(json_object_agg(branch, visits), '{}') from (
        select branch, count(*) as visits from workflow_experiment_visits where ${own} and counted = 0 group by 1) p) as pending
    from workflow_experiments where ${own}`.execute(db)
  const { state, computedAt, pending } = rows[0] ?? { state: {}, computedAt: null, pending: {} }
  const ids = settings.branches.map(({ id }) => id)
  const beliefs = estimateConversionRates([...ids.map((id) => state.counts?.[id] ?? NONE)])
  const [held] = estimateConversionRates([state.counts?.[HELD_OUT_BRANCH] ?? NONE])
  const shares = settings.method === 'bandit' ? (state.shares ?? {}) : {}
  return {
    method: settings.method,
    branches: ids.map((id, index) => ({
      ...{ id, ...shownCounts(id, pending, state), ...beliefs[index]! },
      share: settings.method === 'bandit' ? (shares[id] ?? 1 / ids.length) : null,
    })),
    holdout: { ...shownCounts(HELD_OUT_BRANCH, pending, state), interval: held!.interval },
    winner: state.winner && ids.includes(state.winner.branch) ? state.winner : null,
    computed: computedAt?.toISOString() ?? null,
  }
}
