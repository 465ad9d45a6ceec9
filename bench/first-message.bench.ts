import { setTimeout as delay } from 'node:timers/promises'
import { validate } from '../scripts/demo/campaign.ts'
import { eventually } from '../scripts/demo/client.ts'
import { connect } from '../src/database/connect.ts'
import { prepareCampaign } from './campaigns.ts'
import { rounded } from './load.ts'
import { peakRssMb, processorSeconds, rssMb } from './processes.ts'
import { loadReaders } from './readers.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'
import { startSinkProcess } from './sink.ts'

const RECIPIENTS = 1_000_000
const PATIENCE_MS = 3_600_000
/** From here on the memory of the service is to stay as it is. */
const WARM = 100_000

/**
 * A campaign to 1,000,000 contacts: from the answer to its validation to the first message at the peer (at most 1 s), how
 * fast it is planned, and what the service holds while it sends them all (at most 350 MB, the same from 100,000 on).
 */
export const benchmark: Benchmark = async (tell, recipients = RECIPIENTS) => {
  const sink = await startSinkProcess()
  const service = await startBenchService(sink.port)
  const { client, pid, databaseUrl } = service
  const { db, pool, close } = connect(databaseUrl, { max: 1, statementTimeoutMs: 0 })
  try {
    const segment = await loadReaders(service, pool, recipients)
    tell(`${recipients} contacts are there`)
    const id = await prepareCampaign(client, segment)
    const before = (await sink.count()).messages
    const spent = processorSeconds(pid)
    await validate(client, id)
    const answered = performance.now()
    while ((await sink.count()).messages === before) await delay(5)
    const firstMessageMs = Math.round(performance.now() - answered)
    tell(`first message after ${firstMessageMs} ms`)

    let warmRss = 0
    let planned = 0
    await eventually('the last message', PATIENCE_MS, async () => {
      const sent = (await sink.count()).messages - before
      if (warmRss === 0 && sent >= Math.min(WARM, recipients)) warmRss = rssMb(pid)
      if (planned === 0) {
        const ended = await db.selectFrom('actions').select('id').where('planned_at', 'is not', null).execute()
        if (ended.length > 0) planned = performance.now() - answered
      }
      return sent >= recipients ? true : undefined
    })
    const milliseconds = performance.now() - answered
    const total = processorSeconds(pid)
    return {
      recipients,
      firstMessageMs,
      planPerSecond: Math.round((recipients * 1000) / planned),
      messagesPerSecond: Math.round((recipients * 1000) / milliseconds),
      processorMsPerMessage: {
        service: rounded(((total.own - spent.own) * 1000) / recipients, 3),
        database: rounded(((total.children - spent.children) * 1000) / recipients, 3),
      },
      rssMbAtHundredThousand: warmRss,
      peakRssMb: peakRssMb(pid),
    }
  } finally {
    await close()
    await service.stop()
    sink.stop()
  }
}
