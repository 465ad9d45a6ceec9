import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { createSandbox, type Sandbox } from '../src/scripting/sandbox/sandbox.ts'
import { allAttacks, nativeLoops, scriptOf } from '../test/fakes/scripts/attacks.ts'
import { rounded } from './load.ts'
import { rssMb } from './processes.ts'
import type { Benchmark, Figures } from './run.ts'
import { runSmallScript } from './small-script.ts'
import { activeWorkflow, openWorkflowStage, percentile, type WorkflowStage } from './workflow-stage.ts'

const IDLE_MS = 10_000
const PAUSE_MS = 5
const LOOK_MS = 50
/** Runs of attacks that are open at a time. */
const AT_ONCE = 4
const PATIENCE_MS = 600_000
/** Threads that had nothing to do end after a minute. */
const SETTLED_MS = 70_000
const HOSTILE_MS = 12_000

/** A node that runs the statements it is given, which stay in the sandbox. */
const RUNNER = `const AsyncFunction = (async () => {}).constructor
export default (input) => new AsyncFunction('input', input.data.statements)(input)`

interface Answered {
  health: number[]
  segments: number[]
}

/** How long a request takes over a connection that is kept. */
async function timedGet(url: string, agent: Agent, headers: Record<string, string> = {}): Promise<number> {
  const begun = performance.now()
  await new Promise<void>((resolve, reject) => {
    const sent = request(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      response.resume().on('end', resolve)
    })
    sent.on('error', reject).end()
  })
  return performance.now() - begun
}

/** Asks for the health of the service, and for a list, until it is told to stop. */
async function askUntil({ service: { client, key } }: WorkflowStage, isOver: () => boolean): Promise<Answered> {
  const agent = new Agent({ keepAlive: true })
  const answered: Answered = { health: [], segments: [] }
  while (!isOver()) {
    answered.health.push(await timedGet(`${client.url}/health/live`, agent))
    answered.segments.push(await timedGet(`${client.url}/segments`, agent, { 'x-key': key }))
    await delay(PAUSE_MS)
  }
  agent.destroy()
  return answered
}

async function openRuns({ pool, service: { account } }: WorkflowStage): Promise<number> {
  const { rows } = await pool.query<{ open: number }>(
    'select count(*)::integer as open from workflow_runs where account = $1 and ended_at is null',
    [account],
  )
  return rows[0]!.open
}

/** Runs every attack by a node of a workflow, some at a time; how many runs ended in which way. */
async function attackAll(stage: WorkflowStage, report: (line: string) => void): Promise<Record<string, number>> {
  const { pool, service } = stage
  const ends = [{ id: 'end', type: 'terminal', settings: { outcome: 'harmless' } }]
  const attack = { id: 'attack', type: 'script', default: true, settings: { value: RUNNER }, next: 'end' }
  const settings = { reentry: { mode: 'always' }, concurrency: 100 }
  const workflow = await activeWorkflow(stage, { name: 'Attacks', settings, nodes: [attack, ...ends] })
  const from = performance.now()
  const wait = async (most: number) => {
    while ((await openRuns(stage)) > most) {
      await delay(LOOK_MS)
      if (performance.now() - from > PATIENCE_MS) throw new Error('attack runs did not end in time')
    }
  }
  for (const { statements } of allAttacks) {
    await wait(AT_ONCE - 1)
    await service.client.call('POST', `/scripting/workflows/${workflow}/execution`, { data: { statements } })
  }
  await wait(0)
  const { rows } = await pool.query<{ how: string; count: number }>(
    `select coalesce(outcome, substring(reason from '^[a-z]+'), status) as how, count(*)::integer as count
     from workflow_runs where account = $1 group by 1 order by 2 desc`,
    [service.account],
  )
  report(
    `${rounded((performance.now() - from) / 1000, 0)} s: ${rows.map(({ how, count }) => `${count} ${how}`).join(', ')}`,
  )
  return Object.fromEntries(rows.map(({ how, count }) => [how, count]))
}

/** Threads of a process. Linux only; 0 elsewhere. */
function threadsOf(pid: number): number {
  return process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).length : 0
}

/** A started service under all attacks, beside the same without any. */
async function attackedService(report: (line: string) => void): Promise<Figures> {
  const stage = await openWorkflowStage(10)
  const { pid } = stage.service
  try {
    const warmUntil = performance.now() + IDLE_MS / 2
    await askUntil(stage, () => performance.now() > warmUntil)
    const idleUntil = performance.now() + IDLE_MS
    const idle = await askUntil(stage, () => performance.now() > idleUntil)
    const [rss, threads] = [rssMb(pid), threadsOf(pid)]
    let isOver = false
    const asking = askUntil(stage, () => isOver)
    const ends = await attackAll(stage, report).finally(() => {
      isOver = true
    })
    const attacked = await asking
    report(`${attacked.health.length} requests of each kind; settling`)
    await delay(SETTLED_MS)
    const p95 = (values: number[]) => rounded(percentile(values, 0.95))
    return {
      healthP95Ms: p95(attacked.health),
      idleHealthP95Ms: p95(idle.health),
      healthMaxMs: rounded(Math.max(...attacked.health)),
      requestP95Ms: p95(attacked.segments),
      idleRequestP95Ms: p95(idle.segments),
      attacks: allAttacks.length,
      harmless: ends['harmless'] ?? 0,
      rssGrowthMb: rssMb(pid) - rss,
      threadsMore: threadsOf(pid) - threads,
    }
  } finally {
    await stage.stop()
  }
}

/** What an account waits for while another one floods the queue with loops that only a kill ends. */
async function neighbours(sandbox: Sandbox): Promise<Figures> {
  const ends = performance.now() + HOSTILE_MS
  const source = scriptOf(nativeLoops[0]!.statements)
  const hostile = Array.from({ length: 100 }, async () => {
    while (performance.now() < ends)
      await sandbox.run({ source }, { account: 2, seed: 'bench', input: null, cpuMs: 1000, wallMs: 10_000 })
  })
  const loop = monitorEventLoopDelay({ resolution: 5 })
  loop.enable()
  const times: number[] = []
  while (performance.now() < ends) {
    const begun = performance.now()
    await runSmallScript(sandbox, 1)
    times.push(performance.now() - begun)
  }
  loop.disable()
  await sandbox.close()
  await Promise.all(hostile)
  return {
    runs: times.length,
    p99Ms: rounded(percentile(times, 0.99)),
    maxMs: rounded(Math.max(...times)),
    eventLoopP99Ms: rounded(loop.percentile(99) / 1e6),
  }
}

/**
 * A started service while every attack of the tests runs in it as the script of a workflow: how long its health check takes
 * (`healthP95Ms`, under 50) and a list from the database, beside both without attacks; what it holds more of memory and threads when all
 * is over and idle threads have ended. Then what another account waits for beside one that floods a sandbox with loops that are killed
 * (`maxMs`, under 2,000; with one core, the two seconds after which a loop is killed), and the thread that asks (`eventLoopP99Ms`).
 */
export const benchmark: Benchmark = async (report) => {
  const figures = await attackedService(report)
  report(`an account next to a hostile one, ${HOSTILE_MS / 1000} s, two cores, then one`)
  return {
    ...figures,
    neighbour: await neighbours(createSandbox({ cores: 2, threadsPerCore: 4 })),
    neighbourOfOneCore: await neighbours(createSandbox({ cores: 1, threadsPerCore: 4 })),
  }
}
