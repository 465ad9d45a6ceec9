import { setTimeout as delay } from 'node:timers/promises'
import { validate } from '../scripts/demo/campaign.ts'
import type { Client } from '../scripts/demo/client.ts'
import { type DatabasePool, openDatabasePool } from '../src/database/connection/connect.ts'
import { parseActionId } from '../src/lib/ids.ts'
import { prepareCampaign } from './campaigns.ts'
import { rounded } from './load.ts'
import { peakRssMb, processorSeconds, resetPeakRss, rssMb } from './processes.ts'
import { loadReaders } from './readers.ts'
import { startBenchService } from './service.ts'
import { type SinkProcess, startSinkProcess } from './sink.ts'

const FIRST_WITHIN_MS = 120_000
const PATIENCE_MS = 3_600_000
const FIRST_MESSAGE_POLL_MS = 5
const SAMPLE_MS = 250
const TELL_MS = 5000
/** From so many messages on, what the service holds is to stay as it is. */
const WARM = 100_000

/** How a campaign stands at one moment. */
export interface Sample {
  /** Messages at the sink. */
  sent: number
  /** Contacts that have been planned. */
  planned: number
  /** Planned messages that no sender has taken yet, counted up to 10,000; null once the plan has ended. */
  waiting: number | null
  /** From the start of the plan to its end; null before that. */
  planMs: number | null
  rssMb: number
}

/** A campaign from its validation to its last message. */
export interface WatchedCampaign {
  /** From the answer to the validation to the first message at the sink. */
  firstMessageMs: number
  planPerSecond: number
  messagesPerSecond: number
  /** Processor time of the service, and of its database. */
  processorMsPerMessage: { service: number; database: number }
  /** The most the service held. */
  peakRssMb: number
  /** What it held at 100,000 messages; at the last one of a smaller campaign. */
  warmRssMb: number
  /** One after the other, to the last message. */
  samples: Sample[]
}

type Status = Pick<Sample, 'planned' | 'planMs'>

async function readStatus(pool: DatabasePool, action: number): Promise<Status> {
  const { rows } = await pool.query<Status>(
    `select coalesce(sum(c.recipients), 0)::bigint as planned,
       extract(epoch from g.planned_at - g.created_at)::float8 * 1000 as "planMs"
     from sendings g left join sending_counts c on c.sending = g.id
     where g.source = $1 and g.kind = 'campaign' group by g.id`,
    [action],
  )
  return rows[0] ?? { planned: 0, planMs: null }
}

/** What the whole account has in its queues: nothing but the campaign. */
async function countWaiting(client: Client): Promise<number> {
  const queues = await client.call<{ lanes: { waiting: number }[] }[]>('GET', '/settings/sending/queues')
  return queues.flatMap(({ lanes }) => lanes).reduce((sum, { waiting }) => sum + waiting, 0)
}

async function waitForFirst(sink: SinkProcess, before: number): Promise<void> {
  const deadline = performance.now() + FIRST_WITHIN_MS
  while ((await sink.count()).messages === before) {
    if (performance.now() > deadline) throw new Error(`no message within ${FIRST_WITHIN_MS / 1000} s`)
    await delay(FIRST_MESSAGE_POLL_MS)
  }
}

interface Watch {
  report(line: string): void
  client: Client
  pool: DatabasePool
  pid: number
  sink: SinkProcess
  action: number
  recipients: number
  /** Messages that were at the sink before. */
  before: number
}

/** Looks four times a second until all is sent. Throws when that takes more than an hour. */
async function watch({ report, client, pool, pid, sink, action, recipients, before }: Watch): Promise<Sample[]> {
  const samples: Sample[] = []
  const started = performance.now()
  let toldAt = started
  for (;;) {
    await delay(SAMPLE_MS)
    const status = await readStatus(pool, action)
    const waiting = status.planMs === null ? await countWaiting(client) : null
    const sample = { ...status, waiting, sent: (await sink.count()).messages - before, rssMb: rssMb(pid) }
    samples.push(sample)
    const now = performance.now()
    const isOver = sample.sent >= recipients
    if (isOver || now - toldAt >= TELL_MS) {
      toldAt = now
      const plan = waiting === null ? '' : `${sample.planned} planned, ${waiting} waiting, `
      report(`${sample.sent} sent, ${plan}${sample.rssMb} MB`)
    }
    if (isOver) return samples
    if (now - started > PATIENCE_MS) throw new Error(`${sample.sent} of ${recipients} sent in ${PATIENCE_MS / 1000} s`)
  }
}

/**
 * Sends a campaign of the letter to so many contacts, from a service of its own to a sink, and watches it to its end.
 * `prepare` may prepare the account; it gives settings of the campaign.
 */
export async function watchCampaign(
  report: (line: string) => void,
  recipients: number,
  prepare: (client: Client) => Promise<object> = async () => ({}),
): Promise<WatchedCampaign> {
  const sink = await startSinkProcess()
  const service = await startBenchService(sink.port)
  const { client, pid, databaseUrl } = service
  const { pool, close } = openDatabasePool(databaseUrl, { max: 1, statementTimeoutMs: 0 })
  try {
    const segment = await loadReaders(service, pool, recipients)
    report(`${recipients} contacts loaded`)
    const id = await prepareCampaign(client, segment, { settings: await prepare(client) })
    const before = (await sink.count()).messages
    const spent = processorSeconds(pid)
    const isPeakOfCampaign = resetPeakRss(pid)
    await validate(client, id)
    const answered = performance.now()
    await waitForFirst(sink, before)
    const firstMessageMs = Math.round(performance.now() - answered)
    report(`first message after ${firstMessageMs} ms`)

    const samples = await watch({ report, client, pool, pid, sink, action: parseActionId(id) ?? 0, recipients, before })
    const milliseconds = performance.now() - answered
    const total = processorSeconds(pid)
    const each = (seconds: number) => rounded((seconds * 1000) / recipients, 3)
    const last = samples.at(-1)
    return {
      firstMessageMs,
      planPerSecond: Math.round((recipients * 1000) / (last?.planMs ?? milliseconds)),
      messagesPerSecond: Math.round((recipients * 1000) / milliseconds),
      processorMsPerMessage: {
        service: each(total.own - spent.own),
        database: each(total.children - spent.children),
      },
      peakRssMb: isPeakOfCampaign ? peakRssMb(pid) : Math.max(...samples.map((sample) => sample.rssMb)),
      warmRssMb: samples.find(({ sent }) => sent >= Math.min(WARM, recipients))?.rssMb ?? 0,
      samples,
    }
  } finally {
    await close()
    await service.stop()
    sink.stop()
  }
}
