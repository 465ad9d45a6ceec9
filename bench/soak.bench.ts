import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, eventually } from '../scripts/demo/client.ts'
import { type DatabasePool, openDatabasePool } from '../src/database/connection/connect.ts'
import { seeded } from '../test/fakes/scripts/seeded.ts'
import { type Campaigns, makeCampaigns } from './kill-campaigns.ts'
import { type Environment, type Running, startEnvironment } from './kill-environment.ts'
import { judge } from './kill-verdict.ts'
import { rounded } from './load.ts'
import { peakRssMb } from './processes.ts'
import type { Benchmark } from './run.ts'
import { startVisitor } from './soak-hits.ts'

const MINUTES = 30
const MINUTE_MS = 60_000
/** Contacts: each campaign has all of them, and each import changes them. */
const CONTACTS = 300
/** A kill comes so long after the work of its minute has begun, at most. */
const KILL_WITHIN_MS = 20_000
/** What has not ended by then will not. */
const END_MS = 180_000

interface Soak {
  environment: Environment
  campaigns: Campaigns
  random: () => number
  pool: DatabasePool
  import: number
  /** Paths of the executions of imports. */
  executions: string[]
  /** Most memory of each life of the service, in MB. */
  peaks: number[]
}

/** A workflow that each message which left begins, and that ends a second later. */
async function startWorkflow(client: Client): Promise<number> {
  const { id } = await client.call<{ id: number }>('POST', '/scripting/workflows', {
    name: 'After each message',
    settings: { reentry: { mode: 'always' } },
    listeners: [{ id: 'sent', event: { type: 'action.activation' }, handler: 'rest' }],
    nodes: [
      { id: 'rest', type: 'sleep', settings: { period: { unit: 'SECOND', value: 1 } }, next: 'end' },
      { id: 'end', type: 'terminal', settings: { outcome: 'done' } },
    ],
  })
  await client.call('POST', `/scripting/workflows/${id}/activation`)
  return id
}

async function startImport({ import: id, executions }: Soak, client: Client, round: number): Promise<void> {
  const lines = Array.from({ length: CONTACTS }, (_, n) => `p${n}@killed.example;${round}\n`)
  const file = { name: 'round.csv', text: `Email;Round\n${lines.join('')}` }
  const { id: execution } = await client.upload<{ id: number }>(`/imports/${id}/executions`, file)
  executions.push(`/imports/${id}/executions/${execution}`)
}

/** A minute: a campaign and an import begin, and the service is killed while they go on. Gives the next service. */
async function soakMinute(soak: Soak, service: Running, round: number): Promise<Running> {
  const startedAt = performance.now()
  await soak.campaigns.another(service.client)
  await startImport(soak, service.client, round)
  await delay(soak.random() * KILL_WITHIN_MS)
  soak.peaks.push(peakRssMb(service.pid))
  await service.kill()
  const next = await soak.environment.start()
  await next.ready()
  await delay(Math.max(0, MINUTE_MS - (performance.now() - startedAt)))
  return next
}

/** Imports that did not end, or did not change every contact. */
async function failedImports({ executions }: Soak, client: Client): Promise<number> {
  const look = () => Promise.all(executions.map((path) => client.call<{ state: number; updated: number }>('GET', path)))
  const all = await eventually('the end of the imports', END_MS, async () => {
    const shown = await look()
    return shown.every(({ state }) => state !== 0) ? shown : undefined
  }).catch(look)
  return all.filter(({ updated }) => updated !== CONTACTS).length
}

/** Runs of the workflow beside the messages that left: those without one, and those too many. */
async function judgeRuns(
  pool: DatabasePool,
  workflow: number,
): Promise<{ runs: number; runsLost: number; runsDoubled: number }> {
  const read = async () => {
    const { rows } = await pool.query<{ activations: number; runs: number; ended: number; events: number }>(
      `select (select count(*) from events where kind = 'activations')::integer as activations, count(*)::integer as runs,
         count(*) filter (where outcome = 'done')::integer as ended, count(distinct event ->> 'id')::integer as events
       from workflow_runs where workflow = $1`,
      [workflow],
    )
    return rows[0]!
  }
  const { activations, runs, events } = await eventually('the end of the runs', END_MS, async () => {
    const found = await read()
    return found.ended >= found.activations ? found : undefined
  }).catch(read)
  return { runs, runsLost: activations - events, runsDoubled: runs - events }
}

/** Answered clicks that are not recorded, and messages whose click is recorded more than once. */
async function judgeHits(pool: DatabasePool, answered: readonly string[]) {
  const read = async () => {
    const { rows } = await pool.query<{ stamp: string; n: number }>(
      `select stamp, count(*)::integer as n from events where kind = 'hits/redirection' group by stamp`,
    )
    const times = new Map(rows.map(({ stamp, n }) => [stamp, n]))
    const lost = answered.filter((stamp) => !times.has(stamp)).length
    return { hits: answered.length, hitsLost: lost, hitsDoubled: rows.filter(({ n }) => n > 1).length }
  }
  return eventually('the hits', END_MS, async () => {
    const found = await read()
    return found.hitsLost === 0 ? found : undefined
  }).catch(read)
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** The mean peak of the last lives of the service to that of the first ones. */
function memoryOf(peaks: readonly number[]) {
  const third = Math.max(1, Math.floor(peaks.length / 3))
  const [first, last] = [mean(peaks.slice(0, third)), mean(peaks.slice(-third))]
  return { firstMb: rounded(first, 0), lastMb: rounded(last, 0), ratio: rounded(last / first, 2) }
}

/**
 * Sends, imports, follows links and runs workflows for so many minutes (30), and kills the service once in each. Nothing may be lost,
 * doubled or misrecorded, and the memory of the later lives is that of the earlier ones. `BENCH_SEED` repeats the instants of a run.
 */
export const benchmark: Benchmark = async (report, minutes = MINUTES) => {
  const seed = Number(process.env['BENCH_SEED'] ?? randomInt(1_000_000))
  report(`seed ${seed}`)
  const environment = await startEnvironment({ beside: true, seed })
  const { pool, close } = openDatabasePool(await environment.databaseUrl(), { max: 2, statementTimeoutMs: 0 })
  try {
    let service = await environment.start()
    await service.ready()
    const { client } = service
    const campaigns = await makeCampaigns(client, CONTACTS)
    await client.call('POST', '/fields', { name: 'Round', type: 'numeric' })
    const { id } = await client.call<{ id: number }>('POST', '/imports', { name: 'Rounds' })
    const workflow = await startWorkflow(client)
    const soak: Soak = {
      environment,
      campaigns,
      random: seeded(seed),
      pool,
      import: id,
      executions: [],
      peaks: [],
    }
    const visitor = startVisitor(pool, environment.dataDir, () => service.client.url)
    for (let round = 0; round < minutes; round++) {
      service = await soakMinute(soak, service, round)
      report(`minute ${round + 1}: at most ${soak.peaks.at(-1)} MB`)
    }
    const ended = await campaigns.finish(service.client)
    const answered = await visitor.stop()
    return {
      seed,
      minutes,
      kills: minutes,
      campaigns: ended.length,
      ...(await judge(environment, ended, CONTACTS)),
      ...(await judgeHits(pool, answered)),
      ...(await judgeRuns(pool, workflow)),
      imports: soak.executions.length,
      importsFailed: await failedImports(soak, service.client),
      memory: memoryOf(soak.peaks),
    }
  } finally {
    await close()
    await environment.clear()
  }
}
