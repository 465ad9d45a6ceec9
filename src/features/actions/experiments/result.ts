import { sql } from 'kysely'
import { getActionChannel } from '../../../channels/channel-traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { type ConversionCounts, estimateConversionRates, meanConversionRate } from '../../../lib/beta-distribution.ts'
import { timeSpanLengthMs } from '../../../lib/time/spans.ts'
import { readAudienceRemainder } from '../../../sending/plan/audience-shares.ts'
import { withEventTable } from '../../events/history/older-events.ts'
import type { EventKind } from '../../events/kinds/event-kinds.ts'
import { buildPlannedGoalResult, readGoalResult } from '../goals/goal-figures.ts'
import type { StoredAction } from '../resource/action-repository.ts'
import type { ExperimentMetric, ExperimentResult } from './experiment-schemas.ts'
import type { MeasuredRun } from './over.ts'
import { loadRunExperiment } from './runs.ts'
import { buildSendEventFilter, selectVersionSends } from './sent.ts'
import type { RunExperiment, RunExperimentVersion, StoredExperiment } from './stored.ts'

/** A best version below this probability is no clear winner. */
const CLEAR_PROBABILITY = 0.95
const EMPTY_COUNTS: ConversionCounts = { visits: 0, conversions: 0 }

const OPEN_KINDS: readonly EventKind[] = ['hits/open', 'interactions/read']
const CLICK_KINDS: readonly EventKind[] = ['hits/redirection', 'interactions/redirection']
const LINK_PATHS = ['link,id', 'link,name', 'interaction,link,id', 'interaction,link,name']

/** The condition that a hit `h` is on the link of a metric. */
function buildLinkCondition(metric: ExperimentMetric) {
  if (typeof metric === 'string') return sql`true`
  const { link } = metric
  const member = sql.lit(typeof link === 'number' ? 'id' : 'name')
  return sql`coalesce(h.detail #>> array['link', ${member}], h.detail #>> array['interaction', 'link', ${member}]) = ${String(link)}`
}

/** By version the contacts it was sent to (not refused), and those of them with a human hit within `decideAfter` of their send. */
export async function countVersionSuccesses(
  db: Db,
  { run: { account, action, versions, metric, decide_after }, channel, startedAt }: MeasuredRun,
): Promise<Map<number, ConversionCounts>> {
  const kinds = metric === 'opens' ? OPEN_KINDS : CLICK_KINDS
  const sendSource = { account, action, channel }
  const since = startedAt.getTime()
  const hitFilter = {
    account: account as AccountId,
    channels: [channel],
    subjects: [action],
    kinds,
    since,
    isHuman: true,
    paths: LINK_PATHS,
  } as const
  return withEventTable(db, [buildSendEventFilter(sendSource, startedAt), hitFilter], async (tx, events) => {
    const { rows } = await sql<ConversionCounts & { version: number }>`
    with sent as materialized (${selectVersionSends(events, sendSource, { versions, startedAt })}), successes as materialized (
      select distinct s.stamp
      from ${events} h join sent s on s.stamp = h.stamp
      where h.account = ${account} and h.channel = ${channel} and h.subject = ${action} and h.at >= ${startedAt}
        and h.kind = any(${kinds}::text[]) and h.classification is null and not h.is_test
        and h.at <= s.at + ${timeSpanLengthMs(decide_after)}::double precision * interval '1 millisecond' and ${buildLinkCondition(metric)}
    )
    select s.version, count(distinct s.contact)::integer as visits,
      count(distinct s.contact) filter (where k.stamp is not null)::integer as conversions
    from sent s left join successes k on k.stamp = s.stamp group by s.version`.execute(tx)
    return new Map(rows.map(({ version, visits, conversions }) => [version, { visits, conversions }]))
  })
}

/**
 * Evaluates counts, in the order of the versions: the version with the highest mean (the first one on a tie), and whether it wins clearly.
 */
export function rankVersions<Version extends { id: string }>(
  versions: readonly Version[],
  counts: readonly ConversionCounts[],
  minimum: number,
) {
  const estimates = estimateConversionRates(counts)
  const meanRates = counts.map(meanConversionRate)
  const hasSends = counts.some(({ visits }) => visits > 0)
  const best = meanRates.indexOf(Math.max(...meanRates))
  const isClear = counts.every(({ visits }) => visits >= minimum) && estimates[best]!.probability >= CLEAR_PROBABILITY
  return {
    beliefs: estimates,
    means: meanRates,
    best: hasSends ? versions[best]!.id : null,
    first: versions[best]!,
    isClear: hasSends && isClear,
  }
}

/** Result of a run's experiment, by the final counts or the current ones. */
export async function evaluateExperiment(
  db: Db,
  run: RunExperiment,
  { type, startedAt }: { type: StoredAction['type']; startedAt: Date },
) {
  const counts = run.counts
    ? new Map(Object.entries(run.counts).map(([version, versionCounts]) => [Number(version), versionCounts]))
    : await countVersionSuccesses(db, { run, channel: getActionChannel(type), startedAt })
  const own = run.versions.map(({ version }) => counts.get(version) ?? EMPTY_COUNTS)
  return { counts: own, ...rankVersions(run.versions, own, run.minimum) }
}

function buildVersionResults(
  versions: readonly Pick<RunExperimentVersion, 'id' | 'share'>[],
  counts: readonly ConversionCounts[],
  { beliefs, means }: Pick<ReturnType<typeof rankVersions>, 'beliefs' | 'means'>,
): ExperimentResult['versions'] {
  return versions.map(({ id, share }, index) => {
    const { visits: sentCount, conversions: successes } = counts[index]!
    const rate = sentCount === 0 ? null : successes / sentCount
    return { id, share, sent: sentCount, successes, rate, mean: means[index]!, ...beliefs[index]! }
  })
}

/** Result of an experiment whose campaign has not started. */
function buildPlannedResult(experiment: StoredExperiment): ExperimentResult {
  const { versions, holdout, metric, minimum, decide } = experiment
  const counts = versions.map(() => EMPTY_COUNTS)
  const versionRanking = rankVersions(versions, counts, minimum)
  return {
    state: 'planned',
    metric,
    minimum,
    decide,
    settledAt: null,
    decidesAt: null,
    versions: buildVersionResults(versions, counts, versionRanking),
    holdout: { share: holdout, contacts: 0 },
    waiting: 0,
    best: null,
    isClear: false,
    decision: null,
    goal: buildPlannedGoalResult(experiment),
  }
}

function resolveExperimentState(run: RunExperiment, decidesAt: Date | null, now: Date): ExperimentResult['state'] {
  if (run.decided_at) return 'decided'
  if (run.ended_at) return 'over'
  if (!decidesAt) return 'sending'
  return run.decide === 'ask' && decidesAt <= now ? 'asking' : 'measuring'
}

/** Time at which an experiment is decided; null while its clock has not started. */
export function computeDecisionTime({
  settled_at,
  decide_after,
}: Pick<RunExperiment, 'settled_at' | 'decide_after'>): Date | null {
  return settled_at && new Date(settled_at.getTime() + timeSpanLengthMs(decide_after))
}

/** State and result of the experiment of an action; null if it has no experiment. */
export async function readExperimentResult(
  tx: Db,
  action: Pick<StoredAction, 'type' | 'settings' | 'sending' | 'state' | 'started_at'>,
  now: Date,
): Promise<ExperimentResult | null> {
  const { experiment } = action.settings
  if (!experiment) return null
  const run = action.sending === null || !action.started_at ? undefined : await loadRunExperiment(tx, action.sending)
  if (!run) return buildPlannedResult(experiment)
  const runEvaluation = await evaluateExperiment(tx, run, { type: action.type, startedAt: action.started_at! })
  const decidesAt = computeDecisionTime(run)
  const { waiting: waitingCount, heldOut: heldOutCount } = await readAudienceRemainder(tx, run.sending)
  const { metric, minimum, decide, settled_at, decided_at, decision } = run
  return {
    state: resolveExperimentState(run, decidesAt, now),
    metric,
    minimum,
    decide,
    settledAt: settled_at?.toISOString() ?? null,
    decidesAt: decidesAt?.toISOString() ?? null,
    versions: buildVersionResults(run.versions, runEvaluation.counts, runEvaluation),
    holdout: { share: run.holdout, contacts: heldOutCount },
    waiting: waitingCount,
    best: runEvaluation.best,
    isClear: runEvaluation.isClear,
    decision: decision && decided_at && { ...decision, at: decided_at.toISOString() },
    goal: await readGoalResult(tx, run, { channel: getActionChannel(action.type), startedAt: action.started_at! }),
  }
}
