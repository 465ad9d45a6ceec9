import { sql } from 'kysely'
import { getActionChannel } from '../../../channels/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { type ConversionCounts, estimateConversionRates, meanConversionRate } from '../../../lib/beta.ts'
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
const CLEAR = 0.95
const NONE: ConversionCounts = { visits: 0, conversions: 0 }

const opens: readonly EventKind[] = ['hits/open', 'interactions/read']
const clicks: readonly EventKind[] = ['hits/redirection', 'interactions/redirection']
const links = ['link,id', 'link,name', 'interaction,link,id', 'interaction,link,name']

/** The condition that a hit `h` is on the link of a metric. */
function isOnLink(metric: ExperimentMetric) {
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
  const kinds = metric === 'opens' ? opens : clicks
  const sent = { account, action, channel }
  const since = startedAt.getTime()
  const ofHits = {
    account: account as AccountId,
    channels: [channel],
    subjects: [action],
    kinds,
    since,
    isHuman: true,
    paths: links,
  } as const
  return withEventTable(db, [buildSendEventFilter(sent, startedAt), ofHits], async (tx, events) => {
    const { rows } = await sql<ConversionCounts & { version: number }>`
    with sent as materialized (${selectVersionSends(events, sent, { versions, startedAt })}), successes as materialized (
      select distinct s.stamp
      from ${events} h join sent s on s.stamp = h.stamp
      where h.account = ${account} and h.channel = ${channel} and h.subject = ${action} and h.at >= ${startedAt}
        and h.kind = any(${kinds}::text[]) and h.classification is null and not h.is_test
        and h.at <= s.at + ${timeSpanLengthMs(decide_after)}::double precision * interval '1 millisecond' and ${isOnLink(metric)}
    )
    select s.version, count(distinct s.contact)::integer as visits,
      count(distinct s.contact) filter (where k.stamp is not null)::integer as conversions
    from sent s left join successes k on k.stamp = s.stamp group by s.version`.execute(tx)
    return new Map(rows.map(({ version, visits, conversions }) => [version, { visits, conversions }]))
  })
}

/** What counts say of versions in their order: the one with the highest mean, the first on a tie, and whether it is clear. */
export function rankVersions<Version extends { id: string }>(
  versions: readonly Version[],
  counts: readonly ConversionCounts[],
  minimum: number,
) {
  const beliefs = estimateConversionRates(counts)
  const means = counts.map(meanConversionRate)
  const isKnown = counts.some(({ visits }) => visits > 0)
  const best = means.indexOf(Math.max(...means))
  const isClear = counts.every(({ visits }) => visits >= minimum) && beliefs[best]!.probability >= CLEAR
  return {
    beliefs,
    means,
    best: isKnown ? versions[best]!.id : null,
    first: versions[best]!,
    isClear: isKnown && isClear,
  }
}

/** What a run's experiment has found: by the final counts, or those of now. */
export async function evaluateExperiment(
  db: Db,
  run: RunExperiment,
  { type, startedAt }: { type: StoredAction['type']; startedAt: Date },
) {
  const counts = run.counts
    ? new Map(Object.entries(run.counts).map(([version, own]) => [Number(version), own]))
    : await countVersionSuccesses(db, { run, channel: getActionChannel(type), startedAt })
  const own = run.versions.map(({ version }) => counts.get(version) ?? NONE)
  return { counts: own, ...rankVersions(run.versions, own, run.minimum) }
}

function shownVersions(
  versions: readonly Pick<RunExperimentVersion, 'id' | 'share'>[],
  counts: readonly ConversionCounts[],
  { beliefs, means }: Pick<ReturnType<typeof rankVersions>, 'beliefs' | 'means'>,
): ExperimentResult['versions'] {
  return versions.map(({ id, share }, index) => {
    const { visits: sent, conversions: successes } = counts[index]!
    const rate = sent === 0 ? null : successes / sent
    return { ...{ id, share, sent, successes, rate }, mean: means[index]!, ...beliefs[index]! }
  })
}

/** An experiment whose campaign has not begun. */
function planned(experiment: StoredExperiment): ExperimentResult {
  const { versions, holdout, metric, minimum, decide } = experiment
  const counts = versions.map(() => NONE)
  const judged = rankVersions(versions, counts, minimum)
  return {
    ...{ state: 'planned', metric, minimum, decide, settledAt: null, decidesAt: null },
    versions: shownVersions(versions, counts, judged),
    ...{ holdout: { share: holdout, contacts: 0 }, waiting: 0, best: null, isClear: false, decision: null },
    goal: buildPlannedGoalResult(experiment),
  }
}

function stateOf(run: RunExperiment, decidesAt: Date | null, now: Date): ExperimentResult['state'] {
  if (run.decided_at) return 'decided'
  if (run.ended_at) return 'over'
  if (!decidesAt) return 'sending'
  return run.decide === 'ask' && decidesAt <= now ? 'asking' : 'measuring'
}

/** When the time of an experiment is over; null while the clock has not started. */
export function computeDecisionTime({
  settled_at,
  decide_after,
}: Pick<RunExperiment, 'settled_at' | 'decide_after'>): Date | null {
  return settled_at && new Date(settled_at.getTime() + timeSpanLengthMs(decide_after))
}

/** How the experiment of an action stands, and what it has found; null when it has none. */
export async function readExperimentResult(
  tx: Db,
  action: Pick<StoredAction, 'type' | 'settings' | 'sending' | 'state' | 'started_at'>,
  now: Date,
): Promise<ExperimentResult | null> {
  const { experiment } = action.settings
  if (!experiment) return null
  const run = action.sending === null || !action.started_at ? undefined : await loadRunExperiment(tx, action.sending)
  if (!run) return planned(experiment)
  const judged = await evaluateExperiment(tx, run, { type: action.type, startedAt: action.started_at! })
  const decidesAt = computeDecisionTime(run)
  const { waiting, heldOut } = await readAudienceRemainder(tx, run.sending)
  const { metric, minimum, decide, settled_at, decided_at, decision } = run
  return {
    ...{ state: stateOf(run, decidesAt, now), metric, minimum, decide },
    settledAt: settled_at?.toISOString() ?? null,
    decidesAt: decidesAt?.toISOString() ?? null,
    versions: shownVersions(run.versions, judged.counts, judged),
    holdout: { share: run.holdout, contacts: heldOut },
    waiting,
    best: judged.best,
    isClear: judged.isClear,
    decision: decision && decided_at && { ...decision, at: decided_at.toISOString() },
    goal: await readGoalResult(tx, run, { channel: getActionChannel(action.type), startedAt: action.started_at! }),
  }
}
