import { setTimeout as delay } from 'node:timers/promises'
import { listenByHundred, listenerLatency } from './listening-workflows.ts'
import { median, rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { segmentTask } from './segment-task.ts'
import { loadWaitingRuns, timerLateness } from './waiting-runs.ts'
import { bareClaims, mixedNodes, prepareMix } from './workflow-mix.ts'
import { openWorkflowStage, usedOver, type WorkflowStage } from './workflow-stage.ts'

const WAITING = 1_000_000
const PER_SECOND = 1000
const IDLE_SECONDS = 20
const CONTACTS = 100_000
const WARM_SECONDS = 5
const ROUNDS = 3
const NODES_OF_A_RUN = 8

/** Rates of nodes, and of the claims that each round is followed by. */
async function mixRounds(stage: WorkflowStage, runs: number, report: (line: string) => void) {
  const workflow = await prepareMix(stage)
  const rates: { nodes: number; claims: number }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const nodes = await mixedNodes(stage, workflow, runs)
    const claims = await bareClaims(stage, runs * NODES_OF_A_RUN)
    report(
      `round ${round}: ${Math.round(nodes)} nodes/s, ${Math.round(claims)} bare claims/s${round === 0 ? ' (warm-up)' : ''}`,
    )
    if (round > 0) rates.push({ nodes, claims })
  }
  return rates
}

/**
 * Nodes that runs perform a second (at least 2,500), of 10,000 that decide, sleep, send a mail to the capture gateway and wait for
 * it, and write contacts, with all they do in their traces; beside bare claims of as many rows. How long a task takes to store a run
 * for each of 100,000 contacts (at most 60 s). Runs that wait: what of a core the service and its database use for 1,000,000 of
 * them, beyond what they use without (at most 1 %), how late deadlines are seen at 1,000 a second (p99 at most 1 s), how soon after its publication an event has a
 * run, at 1,000 a second and 100 listeners with filters (p95 at most 500 ms), and what the service gained meanwhile (at most 50 MB).
 */
export const benchmark: Benchmark = async (report, waiting = WAITING) => {
  const stage = await openWorkflowStage(Math.max(1000, Math.min(CONTACTS, waiting / 10)))
  const rate = { seconds: Math.min(20, Math.max(5, Math.floor(waiting / 50_000))), perSecond: PER_SECOND }
  try {
    const rates = await mixRounds(stage, Math.max(500, Math.round(waiting / 100)), report)
    const taskSeconds = await segmentTask(stage)
    report(`${stage.contacts.length} runs of a task are stored in ${rounded(taskSeconds)} s`)
    await listenByHundred(stage)
    await listenerLatency(stage, { ...rate, seconds: WARM_SECONDS })
    report('warm')
    await delay(5000)
    const without = await usedOver(stage, IDLE_SECONDS)
    report(`without waiting runs: ${rounded(without.percent)} % of a core, ${without.rssMb} MB`)
    const workflow = await loadWaitingRuns(stage, waiting)
    report(`${waiting} runs wait`)
    await delay(5000)
    const idle = await usedOver(stage, IDLE_SECONDS)
    report(`with waiting runs: ${rounded(idle.percent)} % of a core, ${idle.rssMb} MB`)
    const lateness = await timerLateness(stage, workflow, rate)
    report(`deadlines: p99 ${lateness.p99} ms, the last ${lateness.last} ms`)
    const heard = await listenerLatency(stage, rate)
    report(`listeners: p50 ${rounded(heard.p50, 0)} ms, p95 ${rounded(heard.p95, 0)} ms`)
    await delay(5000)
    const after = await usedOver(stage, 5)
    return {
      nodesPerSecond: Math.round(median(rates.map(({ nodes }) => nodes))),
      ratioToClaims: rounded(median(rates.map(({ nodes, claims }) => nodes / claims)), 3),
      taskSeconds: rounded(taskSeconds),
      idleCpuPercent: rounded(idle.percent - without.percent),
      timerLatenessP99Ms: lateness.p99,
      listenerP95Ms: rounded(heard.p95, 0),
      rssGrowthMb: after.rssMb - without.rssMb,
    }
  } finally {
    await stage.stop()
  }
}
