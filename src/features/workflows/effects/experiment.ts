import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import { timeSpanLengthMs } from '../../../lib/time/spans.ts'
import {
  type ExperimentSettings,
  type ExperimentState,
  fingerprintExperiment,
  HELD_OUT_BRANCH,
  pickExperimentBranch,
} from '../experiments/experiment.ts'
import type { EffectAnswers, NodeEffectRequest, RunStepTransaction } from '../run-stepper/effect-handlers.ts'
import { formatVisitKey } from './visit-key.ts'

type ExperimentRequest = NodeEffectRequest<'experiment'>

const readSettings = ({ asked: effect }: ExperimentRequest): ExperimentSettings => effect.settings as ExperimentSettings

const formatGroupKey = (request: ExperimentRequest): string => {
  const { account, workflow, node } = request.visit
  return JSON.stringify([account, workflow, node, fingerprintExperiment(readSettings(request))])
}

/** Loads the state of the experiment that a visit belongs to; it is empty before the first visit. */
async function loadVisitState(db: Db, request: ExperimentRequest): Promise<ExperimentState> {
  const { account, workflow, node } = request.visit
  const { rows } = await sql<{ state: ExperimentState }>`
    select state from workflow_experiments
    where account = ${account} and workflow = ${workflow} and node = ${node}
      and fingerprint = ${fingerprintExperiment(readSettings(request))}`.execute(db)
  return rows[0]?.state ?? {}
}

/** Begins an experiment with its first visit. */
async function beginExperiment({ tx }: RunStepTransaction, first: ExperimentRequest): Promise<void> {
  const { account, workflow, node } = first.visit
  const settings = readSettings(first)
  await sql`
    insert into workflow_experiments (account, workflow, node, fingerprint, settings)
    values (${account}, ${workflow}, ${node}, ${fingerprintExperiment(settings)}, ${toJsonbText(settings)}::jsonb)
    on conflict (account, workflow, node, fingerprint) do update set settings = excluded.settings
    where workflow_experiments.settings <> excluded.settings`.execute(tx)
}

/** The branch that a visit takes by what is known of its experiment. */
function chooseBranch(request: ExperimentRequest, experimentState: ExperimentState): string {
  const { visit, asked: effect } = request
  return pickExperimentBranch(readSettings(request), experimentState, {
    share: effect.share,
    key: formatVisitKey(visit),
  })
}

const toBranchAnswer = (branch: string): string | null => (branch === HELD_OUT_BRANCH ? null : branch)

/** The branch that a visit would take now; null: held out. Nothing is recorded. */
export async function previewExperimentBranch(db: Db, request: ExperimentRequest): Promise<string | null> {
  return toBranchAnswer(chooseBranch(request, await loadVisitState(db, request)))
}

/** Branches that runs took at their visits before. */
async function loadEarlierBranches(
  { tx }: RunStepTransaction,
  group: readonly ExperimentRequest[],
): Promise<Map<string, string>> {
  const repeatedVisits = group.filter(({ visit }) => visit.visit > 1)
  if (repeatedVisits.length === 0) return new Map()
  const { account, workflow, node } = group[0]!.visit
  const { rows } = await sql<{ run: string; branch: string }>`
    select distinct on (run) run, branch from workflow_experiment_visits
    where account = ${account} and workflow = ${workflow} and node = ${node}
      and fingerprint = ${fingerprintExperiment(readSettings(group[0]!))} and run = any(${repeatedVisits.map(({ visit }) => visit.run)}::uuid[])
    order by run, visit`.execute(tx)
  return new Map(rows.map(({ run, branch }) => [run, branch]))
}

async function storeExperimentVisits(
  { tx, now }: RunStepTransaction,
  group: readonly ExperimentRequest[],
  branches: readonly string[],
): Promise<void> {
  const { account, workflow, node } = group[0]!.visit
  const settings = readSettings(group[0]!)
  const metricEnd = new Date(now + timeSpanLengthMs(settings.period))
  await sql`
    insert into workflow_experiment_visits (account, workflow, node, fingerprint, run, visit, branch, contact, metric, at, until)
    select ${account}, ${workflow}, ${node}, ${fingerprintExperiment(settings)}, g.run, g.visit, g.branch, g.contact,
      ${settings.metric.type}, ${new Date(now)}, ${metricEnd}
    from unnest(${group.map(({ visit }) => visit.run)}::uuid[], ${group.map(({ visit }) => visit.visit)}::integer[],
      ${branches}::text[], ${group.map(({ visit }) => visit.contact)}::bigint[]) as g (run, visit, branch, contact)
    on conflict do nothing`.execute(tx)
}

/** Chooses branches for visits of experiments, and records the visits; null: held out. */
export async function chooseExperimentBranches(
  step: RunStepTransaction,
  requests: readonly ExperimentRequest[],
): EffectAnswers {
  const branchByRequest = new Map<ExperimentRequest, string | null>()
  const groups = [...Map.groupBy(requests, formatGroupKey)].toSorted(([leftKey], [rightKey]) =>
    leftKey < rightKey ? -1 : 1,
  )
  for (const [, group] of groups) {
    await beginExperiment(step, group[0]!)
    const experimentState = await loadVisitState(step.tx, group[0]!)
    const earlierBranches = await loadEarlierBranches(step, group)
    const branches = group.map((request) => {
      const earlierBranch = earlierBranches.get(request.visit.run)
      const mustRepeatBranch =
        earlierBranch === HELD_OUT_BRANCH || readSettings(request).branches.some(({ id }) => id === earlierBranch)
      return earlierBranch !== undefined && mustRepeatBranch ? earlierBranch : chooseBranch(request, experimentState)
    })
    await storeExperimentVisits(step, group, branches)
    for (const [index, leftKey] of group.entries()) branchByRequest.set(leftKey, toBranchAnswer(branches[index]!))
  }
  return requests.map((leftKey) => branchByRequest.get(leftKey))
}
