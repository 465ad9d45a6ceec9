import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import { listBackoffSubjects, runBatchOrIsolated } from '../../../jobs/failures.ts'
import { type ConversionCounts, estimateConversionRates } from '../../../lib/beta-distribution.ts'
import { type ExperimentKey, type ExperimentSettings, type ExperimentState, HELD_OUT_BRANCH } from './experiment.ts'

interface ExperimentDelta extends ExperimentKey, ConversionCounts {
  branch: string
}

/** The least share of a branch of a bandit. */
const MIN_BANDIT_SHARE = 0.05
/** Visits that are counted in one transaction. */
const VISIT_BATCH_SIZE = 20_000

const COMPUTE_TASK = 'compute experiments'
const SUBJECT_PREFIX = 'experiment '

const NO_COUNTS: ConversionCounts = { visits: 0, conversions: 0 }

/** Visits that are old enough to be counted, and counted ones that converted since, where a condition is met. */
const buildDueVisitsQuery = (now: number, condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
    (select account, workflow, node, fingerprint, run, visit from workflow_experiment_visits v
     where counted = 0 and until <= ${new Date(now)} and ${condition} order by until limit ${VISIT_BATCH_SIZE})
    union all
    (select account, workflow, node, fingerprint, run, visit from workflow_experiment_visits v
     where counted = 1 and converted_at is not null and ${condition} order by account limit ${VISIT_BATCH_SIZE}))`

/** Condition: a visit is of one of these experiments. */
const buildExperimentCondition = (keys: readonly ExperimentKey[]): RawBuilder<unknown> => sql`
  (v.account, v.workflow, v.node, v.fingerprint) in (
    select k.account, k.workflow, k.node, k.fingerprint
    from jsonb_to_recordset(${toJsonbText(keys)}::jsonb) as k (account integer, workflow integer, node text, fingerprint text))`

/** Experiments that have visits to count; those that failed lately are left out. */
async function listDueExperiments(db: Db, now: number): Promise<ExperimentKey[]> {
  const failedKeys = listBackoffSubjects(db, COMPUTE_TASK).map(parseBackoffSubject)
  const { rows } = await sql<ExperimentKey>`
    select distinct account, workflow, node, fingerprint from ${buildDueVisitsQuery(now, sql`not ${buildExperimentCondition(failedKeys)}`)} d
    order by 1, 2, 3, 4`.execute(db)
  return rows
}

/** Marks visits of experiments that are old enough as counted, and conversions that came after; gives what there is to be added. */
async function markCountedVisits(tx: Db, keys: readonly ExperimentKey[], now: number): Promise<ExperimentDelta[]> {
  const { rows } = await sql<ExperimentDelta>`
    with due as ${buildDueVisitsQuery(now, buildExperimentCondition(keys))},
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
function computeBanditShares(probabilities: Readonly<Record<string, number>>): Record<string, number> {
  const branchIds = Object.keys(probabilities)
  const freeShare = 1 - branchIds.length * MIN_BANDIT_SHARE
  return Object.fromEntries(branchIds.map((name) => [name, MIN_BANDIT_SHARE + freeShare * probabilities[name]!]))
}

/** Computes the state of an experiment after adding counts. */
export function computeExperimentState(
  { branches, method, minimum, confidence }: ExperimentSettings,
  state: ExperimentState,
  { added: addedCounts, now }: { added: Readonly<Record<string, ConversionCounts>>; now: number },
): ExperimentState {
  const counts: Record<string, ConversionCounts> = { ...state.counts }
  for (const [branch, { visits, conversions }] of Object.entries(addedCounts)) {
    const branchCounts = counts[branch] ?? NO_COUNTS
    counts[branch] = { visits: branchCounts.visits + visits, conversions: branchCounts.conversions + conversions }
  }
  const ids = branches.map(({ id }) => id)
  const rateEstimates = estimateConversionRates(ids.map((id) => counts[id] ?? NO_COUNTS))
  const probabilities = Object.fromEntries(ids.map((id, index) => [id, rateEstimates[index]!.probability]))
  const [bestBranch = '', probability = 0] =
    Object.entries(probabilities).toSorted(([, leftEntry], [, rightEntry]) => rightEntry - leftEntry)[0] ?? []
  const hasWinner = ids.every((id) => (counts[id] ?? NO_COUNTS).visits >= minimum) && probability >= confidence / 100
  const priorWinner = state.winner && ids.includes(state.winner.branch) ? state.winner : null
  const decidedWinner =
    method === 'fixed' && hasWinner ? { branch: bestBranch, since: new Date(now).toISOString(), probability } : null
  return { counts, probabilities, shares: computeBanditShares(probabilities), winner: priorWinner ?? decidedWinner }
}

async function addCountsToState(
  tx: Db,
  key: ExperimentKey,
  addedCounts: Readonly<Record<string, ConversionCounts>>,
  now: number,
): Promise<void> {
  const { account, workflow, node, fingerprint } = key
  const experimentCondition = sql`account = ${account} and workflow = ${workflow} and node = ${node} and fingerprint = ${fingerprint}`
  const { rows } = await sql<{ settings: ExperimentSettings; state: ExperimentState }>`
    select settings, state from workflow_experiments where ${experimentCondition} for update`.execute(tx)
  const [row] = rows
  if (!row) return
  const state = computeExperimentState(row.settings, row.state, { added: addedCounts, now })
  await sql`
    update workflow_experiments set state = ${toJsonbText(state)}::jsonb, computed_at = ${new Date(now)} where ${experimentCondition}`.execute(
    tx,
  )
}

const formatExperimentKey = ({ account, workflow, node, fingerprint }: ExperimentKey): string =>
  JSON.stringify([account, workflow, node, fingerprint])

const formatBackoffSubject = (key: ExperimentKey): string => `${SUBJECT_PREFIX}${formatExperimentKey(key)}`

function parseBackoffSubject(subject: string): ExperimentKey {
  const [account, workflow, node, fingerprint] = JSON.parse(subject.slice(SUBJECT_PREFIX.length))
  return { account, workflow, node, fingerprint }
}

/** Counts visits of some experiments in one transaction; gives how many there were. */
function computeExperimentBatch(db: Db, keys: readonly ExperimentKey[], now: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const groups = [...Map.groupBy(await markCountedVisits(tx, keys, now), formatExperimentKey)].toSorted(
      ([leftEntry], [rightEntry]) => (leftEntry < rightEntry ? -1 : 1),
    )
    for (const [, group] of groups) {
      const addedCounts = Object.fromEntries(
        group.map(({ branch, visits, conversions }) => [branch, { visits, conversions }] as const),
      )
      await addCountsToState(tx, group[0]!, addedCounts, now)
    }
    return groups.flatMap(([, group]) => group).reduce((sum, { visits, conversions }) => sum + visits + conversions, 0)
  })
}

/**
 * Counts visits of all experiments that are old enough, and computes again what is known of them. An experiment that fails holds
 * up no other. Gives how many visits were counted.
 */
export async function computeExperiments(db: Db, now: number): Promise<number> {
  let countedVisits = 0
  const computeBatch = async (keys: readonly ExperimentKey[]) =>
    void (countedVisits += await computeExperimentBatch(db, keys, now))
  await runBatchOrIsolated(db, COMPUTE_TASK, await listDueExperiments(db, now), {
    subjectOf: formatBackoffSubject,
    work: computeBatch,
  })
  return countedVisits
}

/** One branch, as the interface shows it. */
function showBranchCounts(branch: string, pending: Readonly<Record<string, number>>, { counts }: ExperimentState) {
  const { visits: visitCount, conversions } = counts?.[branch] ?? NO_COUNTS
  return {
    visits: visitCount + (pending[branch] ?? 0),
    counted: visitCount,
    conversions,
    rate: visitCount === 0 ? null : conversions / visitCount,
  }
}

/** Reads the state of an experiment by its current settings. */
export async function readExperimentState(db: Db, key: ExperimentKey, settings: ExperimentSettings) {
  const { account, workflow, node, fingerprint } = key
  const stateCondition = sql`account = ${account} and workflow = ${workflow} and node = ${node} and fingerprint = ${fingerprint}`
  const { rows } = await sql<{
    state: ExperimentState
    computedAt: Date | null
    pending: Readonly<Record<string, number>>
  }>`
    select state, computed_at as "computedAt", (
      select coalesce(json_object_agg(branch, visits), '{}') from (
        select branch, count(*) as visits from workflow_experiment_visits where ${stateCondition} and counted = 0 group by 1) p) as pending
    from workflow_experiments where ${stateCondition}`.execute(db)
  const { state, computedAt, pending } = rows[0] ?? { state: {}, computedAt: null, pending: {} }
  const ids = settings.branches.map(({ id }) => id)
  const rateEstimates = estimateConversionRates([...ids.map((id) => state.counts?.[id] ?? NO_COUNTS)])
  const [holdoutBelief] = estimateConversionRates([state.counts?.[HELD_OUT_BRANCH] ?? NO_COUNTS])
  const shares = settings.method === 'bandit' ? (state.shares ?? {}) : {}
  return {
    method: settings.method,
    branches: ids.map((id, index) => ({
      id,
      ...showBranchCounts(id, pending, state),
      ...rateEstimates[index]!,
      share: settings.method === 'bandit' ? (shares[id] ?? 1 / ids.length) : null,
    })),
    holdout: { ...showBranchCounts(HELD_OUT_BRANCH, pending, state), interval: holdoutBelief!.interval },
    winner: state.winner && ids.includes(state.winner.branch) ? state.winner : null,
    computed: computedAt?.toISOString() ?? null,
  }
}
