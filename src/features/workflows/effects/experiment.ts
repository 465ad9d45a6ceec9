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
import type { EffectAnswers, NodeEffectRequest, RunStepTransaction } from '../stepping/effect-handlers.ts'
import { formatVisitKey } from './visit-key.ts'

type ExperimentRequest = NodeEffectRequest<'experiment'>

const settingsOf = ({ asked }: ExperimentRequest): ExperimentSettings => asked.settings as ExperimentSettings

const groupOf = (request: ExperimentRequest): string => {
  const { account, workflow, node } = request.visit
  return JSON.stringify([account, workflow, node, fingerprintExperiment(settingsOf(request))])
}

/** What is known of the experiment that a visit belongs to; nothing before its first visit. */
async function stateOf(db: Db, request: ExperimentRequest): Promise<ExperimentState> {
  const { account, workflow, node } = request.visit
  const { rows } = await sql<{ state: ExperimentState }>`
    select state from workflow_experiments
    where account = ${account} and workflow = ${workflow} and node = ${node}
      and fingerprint = ${fingerprintExperiment(settingsOf(request))}`.execute(db)
  return rows[0]?.state ?? {}
}

/** Begins an experiment with its first visit. */
async function begin({ tx }: RunStepTransaction, first: ExperimentRequest): Promise<void> {
  const { account, workflow, node } = first.visit
  const settings = settingsOf(first)
  await sql`
    insert into workflow_experiments (account, workflow, node, fingerprint, settings)
    values (${account}, ${workflow}, ${node}, ${fingerprintExperiment(settings)}, ${toJsonbText(settings)}::jsonb)
    on conflict (account, workflow, node, fingerprint) do update set settings = excluded.settings
    where workflow_experiments.settings <> excluded.settings`.execute(tx)
}

/** The branch that a visit takes by what is known of its experiment. */
function branchOf(request: ExperimentRequest, state: ExperimentState): string {
  const { visit, asked } = request
  return pickExperimentBranch(settingsOf(request), state, { share: asked.share, key: formatVisitKey(visit) })
}

const answerOf = (branch: string): string | null => (branch === HELD_OUT_BRANCH ? null : branch)

/** The branch that a visit would take now; null: held out. Nothing is recorded. */
export async function previewExperimentBranch(db: Db, request: ExperimentRequest): Promise<string | null> {
  return answerOf(branchOf(request, await stateOf(db, request)))
}

/** Branches that runs took at their visits before. */
async function takenBefore(
  { tx }: RunStepTransaction,
  group: readonly ExperimentRequest[],
): Promise<Map<string, string>> {
  const again = group.filter(({ visit }) => visit.visit > 1)
  if (again.length === 0) return new Map()
  const { account, workflow, node } = group[0]!.visit
  const { rows } = await sql<{ run: string; branch: string }>`
    select distinct on (run) run, branch from workflow_experiment_visits
    where account = ${account} and workflow = ${workflow} and node = ${node}
      and fingerprint = ${fingerprintExperiment(settingsOf(group[0]!))} and run = any(${again.map(({ visit }) => visit.run)}::uuid[])
    order by run, visit`.execute(tx)
  return new Map(rows.map(({ run, branch }) => [run, branch]))
}

async function storeVisits(
  { tx, now }: RunStepTransaction,
  group: readonly ExperimentRequest[],
  branches: readonly string[],
): Promise<void> {
  const { account, workflow, node } = group[0]!.visit
  const settings = settingsOf(group[0]!)
  const until = new Date(now + timeSpanLengthMs(settings.period))
  await sql`
    insert into workflow_experiment_visits (account, workflow, node, fingerprint, run, visit, branch, contact, metric, at, until)
    select ${account}, ${workflow}, ${node}, ${fingerprintExperiment(settings)}, g.run, g.visit, g.branch, g.contact,
      ${settings.metric.type}, ${new Date(now)}, ${until}
    from unnest(${group.map(({ visit }) => visit.run)}::uuid[], ${group.map(({ visit }) => visit.visit)}::integer[],
      ${branches}::text[], ${group.map(({ visit }) => visit.contact)}::bigint[]) as g (run, visit, branch, contact)
    on conflict do nothing`.execute(tx)
}

/** Chooses branches for visits of experiments, and records the visits; null: held out. */
export async function chooseExperimentBranches(
  step: RunStepTransaction,
  requests: readonly ExperimentRequest[],
): EffectAnswers {
  const answers = new Map<ExperimentRequest, string | null>()
  const groups = [...Map.groupBy(requests, groupOf)].toSorted(([one], [other]) => (one < other ? -1 : 1))
  for (const [, group] of groups) {
    await begin(step, group[0]!)
    const state = await stateOf(step.tx, group[0]!)
    const before = await takenBefore(step, group)
    const branches = group.map((request) => {
      const known = before.get(request.visit.run)
      const isKept = known === HELD_OUT_BRANCH || settingsOf(request).branches.some(({ id }) => id === known)
      return known !== undefined && isKept ? known : branchOf(request, state)
    })
    await storeVisits(step, group, branches)
    for (const [index, one] of group.entries()) answers.set(one, answerOf(branches[index]!))
  }
  return requests.map((one) => answers.get(one))
}
