import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../scripts/demo/client.ts'
import { seeded } from '../test/fakes/scripts/seeded.ts'
import { type Campaigns, makeCampaigns } from './kill-campaigns.ts'
import { type Environment, type Running, SENDER_THREADS, startEnvironment } from './kill-environment.ts'
import { judge, type Verdict } from './kill-verdict.ts'
import { rounded } from './load.ts'
import type { Benchmark } from './run.ts'

const CONTACTS = 6000

/** A kill comes so long after the first message, at most. */
const SENDING_MS = 700
/** One kill in so many does not wait for that: it comes while the program starts, so long after it was begun at most. */
const EARLY_ONE_IN = 5
const STARTING_MS = 3000
/** The program starts its database again within that. */
const SERVER_WITHIN_MS = 30_000

/** What a variant does its kills with. */
interface Stage {
  environment: Environment
  campaigns: Campaigns
  random: () => number
  /** The process that answers. */
  service: Running
  /** Kills while messages were being sent. */
  whileSending: number
}

interface Variant {
  kills: number
  /** Whether the database is a process of the benchmark, that survives, or the program's own. */
  beside: boolean
  /** What part of the contacts a campaign of it has; 1 by default. */
  part?: number
  /** Does all kills; gives the process that answers at the end. */
  run(stage: Stage, kills: number): Promise<Running>
}

interface Result extends Verdict {
  kills: number
  whileSending: number
  campaigns: number
  connections: number
  doubtfulMost: number
  seconds: number
}

/** Waits for an instant at which messages are under way. */
async function untilSomewhere(stage: Stage, service: Running): Promise<void> {
  await stage.campaigns.refill(service.client)
  if (await service.sending()) stage.whileSending++
  await delay(stage.random() * SENDING_MS)
}

/** Starts the program anew and anew, and lets `strike` end it while it sends or while it starts. */
async function killAndStart(
  stage: Stage,
  kills: number,
  strike: (service: Running) => Promise<void>,
): Promise<Running> {
  const { environment, random } = stage
  let { service } = stage
  for (let n = 0; n < kills; n++) {
    if (n > 0 && random() < 1 / EARLY_ONE_IN) await delay(random() * STARTING_MS)
    else {
      await service.ready()
      await untilSomewhere(stage, service)
    }
    await strike(service)
    service = await environment.start()
  }
  await service.ready()
  return service
}

/** Kills the server of the database; gives its process. */
async function killPostmaster(environment: Environment): Promise<number | undefined> {
  const pid = await environment.postmaster()
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
  return pid
}

const variants: Readonly<Record<string, Variant>> = {
  service: {
    kills: 20,
    beside: true,
    run: (stage, kills) => killAndStart(stage, kills, (service) => service.kill()),
  },
  serviceAndDatabase: {
    kills: 4,
    beside: false,
    run: (stage, kills) =>
      killAndStart(stage, kills, async (service) => {
        await Promise.all([service.kill(), killPostmaster(stage.environment)])
      }),
  },
  database: {
    kills: 4,
    beside: false,
    async run(stage, kills) {
      const { environment, service } = stage
      for (let n = 0; n < kills; n++) {
        await untilSomewhere(stage, service)
        const killed = await killPostmaster(environment)
        await eventually('the next database server', SERVER_WITHIN_MS, async () => {
          const pid = await environment.postmaster()
          return pid === undefined || pid === killed ? undefined : pid
        })
        await service.ready()
      }
      return service
    },
  },
  network: {
    kills: 20,
    beside: true,
    async run(stage, kills) {
      const { environment, service } = stage
      for (let n = 0; n < kills; n++) {
        await untilSomewhere(stage, service)
        await environment.sink.cut()
      }
      return service
    },
  },
  twoSenders: {
    kills: 6,
    beside: true,
    part: 0.3,
    async run(stage, kills) {
      const { environment, campaigns, random, service } = stage
      for (let n = 0; n < kills; n++) {
        const second = await environment.start('sender')
        await second.ready()
        await environment.senders(2 * SENDER_THREADS)
        // One for both: what there is already is in the hands of the first process.
        await campaigns.another(service.client)
        if (await second.sending()) stage.whileSending++
        await delay(random() * SENDING_MS)
        // What the last one held is left to the first process: no other process starts any more.
        await second.kill()
      }
      return service
    },
  },
}

async function runVariant({ kills, beside, run }: Variant, size: number, seed: number): Promise<Result> {
  const started = performance.now()
  const environment = await startEnvironment({ beside, seed })
  try {
    const service = await environment.start()
    await service.ready()
    const campaigns = await makeCampaigns(service.client, size)
    const stage = { environment, campaigns, random: seeded(seed), service, whileSending: 0 }
    const last = await run(stage, kills)
    const ended = await campaigns.finish(last.client)
    const verdict = await judge(environment, ended, size)
    const { mostOpen } = await environment.sink.state()
    return {
      kills,
      whileSending: stage.whileSending,
      campaigns: ended.length,
      ...verdict,
      connections: mostOpen,
      doubtfulMost: mostOpen * kills,
      seconds: rounded((performance.now() - started) / 1000, 1),
    }
  } finally {
    await environment.clear()
  }
}

/**
 * Sends campaigns to a sink that remembers every message, and kills at random instants: the program, its database, both,
 * the connections to the sink, one of two senders. Nothing may be lost, duplicated or misrecorded; what is in doubt is
 * held and counted, at most one message for each open connection and kill. `BENCH_SEED` repeats the instants of a run,
 * `BENCH_VARIANT` runs one variant alone, `BENCH_LOG_LEVEL` shows what the program says.
 */
export const benchmark: Benchmark = async (report, size = CONTACTS) => {
  const seed = Number(process.env['BENCH_SEED'] ?? randomInt(1_000_000))
  report(`seed ${seed}`)
  const only = process.env['BENCH_VARIANT']
  const results: Record<string, Result> = {}
  for (const [name, variant] of Object.entries(variants)) {
    if (only !== undefined && only !== name) continue
    const result = await runVariant(variant, Math.ceil(size * (variant.part ?? 1)), seed)
    results[name] = result
    const { kills, lost, duplicated, doubtful, doubtfulMost, misrecorded, seconds } = result
    report(
      `${name}: ${kills} kills, lost ${lost}, duplicated ${duplicated}, doubtful ${doubtful} of at most ${doubtfulMost}, misrecorded ${misrecorded}; ${seconds} s`,
    )
  }
  const sum = (figure: keyof Result): number =>
    Object.values(results).reduce((total, result) => total + result[figure], 0)
  return {
    seed,
    recipients: size,
    kills: sum('kills'),
    lost: sum('lost'),
    duplicated: sum('duplicated'),
    doubtful: sum('doubtful'),
    doubtfulMost: sum('doubtfulMost'),
    misrecorded: sum('misrecorded'),
    ...Object.fromEntries(Object.entries(results).map(([name, result]) => [name, { ...result }])),
  }
}
