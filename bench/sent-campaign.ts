import { createFields, importContacts, validate } from '../scripts/demo/campaign.ts'
import { eventually } from '../scripts/demo/client.ts'
import { generateContacts, toCsv } from '../scripts/demo/contacts.ts'
import { type DatabasePool, openDatabasePool } from '../src/database/connection/connect.ts'
import { MIN_INDEXED_CONTACTS } from '../src/features/segments/criteria/criterion-indexes.ts'
import { prepareCampaign } from './campaigns.ts'
import { rounded } from './load.ts'
import { coreSeconds, processorSeconds } from './processes.ts'
import { type BenchService, startBenchService } from './service.ts'
import type { SinkProcess } from './sink.ts'

const PATIENCE_MS = 600_000
/** The state of a campaign whose messages all have their outcome. */
const ENDED = 60

/** A service with contacts that are all in one segment. */
export interface SendingStage {
  service: BenchService
  pool: DatabasePool
  sink: SinkProcess
  segment: number
  messages: number
  stop(): Promise<void>
}

/** Starts a service whose mail goes to the sink, and imports so many contacts. `environment`: more settings. */
export async function startSendingStage(
  sink: SinkProcess,
  messages: number,
  environment: Record<string, string> = {},
): Promise<SendingStage> {
  const service = await startBenchService(sink.port, environment)
  const { pool, close } = openDatabasePool(service.databaseUrl, { max: 1 })
  const stop = async (): Promise<void> => {
    await close()
    await service.stop()
  }
  try {
    await createFields(service.client)
    const rows = [...generateContacts(messages)].map((row) => ({ ...row, 'Opt-in': 'yes' }))
    const quiet = { step: () => undefined, end: () => undefined }
    const { segment } = await importContacts(service.client, toCsv(rows), messages, quiet)
    return { service, pool, sink, segment, messages, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Bytes of write-ahead log that the database has written so far. */
async function walBytes(pool: DatabasePool): Promise<number> {
  const { rows } = await pool.query<{ n: string }>("select pg_current_wal_lsn() - '0/0' as n")
  return Number(rows[0]?.n)
}

/** Waits until the fields of the imported contacts are indexed, where they are enough for it: they are once, within a minute. */
export async function untilIndexed({ pool, messages }: SendingStage): Promise<void> {
  if (messages < MIN_INDEXED_CONTACTS) return
  await eventually('the indexes', PATIENCE_MS, async () => {
    const { rows } = await pool.query<{ done: boolean }>(
      "select last_analyze is not null as done from pg_stat_user_tables where relname = 'contacts'",
    )
    return rows[0]?.done ? true : undefined
  })
}

/** Sends a campaign to the segment and waits for its end; gives rate, size and cost up to its last message. */
export async function sendCampaign({ service, pool, sink, segment, messages }: SendingStage, domain?: string) {
  const { client } = service
  const id = await prepareCampaign(client, segment, { domain })
  const [before, spent, sinkSpent] = [await sink.count(), processorSeconds(service.pid), processorSeconds(sink.pid)]
  const [walBefore, cores] = [await walBytes(pool), coreSeconds()]
  const started = await validate(client, id)
  const after = await eventually('the messages', PATIENCE_MS, async () => {
    const counted = await sink.count()
    return counted.messages - before.messages >= messages ? counted : undefined
  })
  const milliseconds = performance.now() - started
  const each = (seconds: number) => rounded((seconds * 1000) / messages, 3)
  const [total, sinkTotal, coresNow] = [processorSeconds(service.pid), processorSeconds(sink.pid), coreSeconds()]
  // What is still being recorded would take from whatever is measured next.
  await eventually('the end of the campaign', PATIENCE_MS, async () => {
    const { state } = await client.call<{ state: number }>('GET', `/actions/${id}`)
    return state === ENDED ? true : undefined
  })
  return {
    perSecond: (messages * 1000) / milliseconds,
    octets: Math.round((after.octets - before.octets) / messages),
    processorMs: {
      service: each(total.own - spent.own),
      database: each(total.children - spent.children),
      sink: each(sinkTotal.own - sinkSpent.own),
    },
    idlePercent: Math.round((100 * (coresNow.idle - cores.idle)) / (coresNow.all - cores.all)),
    walBytes: Math.round(((await walBytes(pool)) - walBefore) / messages),
  }
}
