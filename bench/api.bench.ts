import { fork } from 'node:child_process'
import { once } from 'node:events'
import { generateContacts } from '../scripts/demo/contacts.ts'
import { median, requestsPerSecond, rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'

const CONTACTS = 1000
const ROUNDS = 5
const load = { connections: 32, milliseconds: 2000 }

/** Reads of one contact a second over HTTP, against a bare Fastify route that does the same select. At least 0.6. */
export const benchmark: Benchmark = async (report) => {
  const service = await startBenchService()
  try {
    const rows = [...generateContacts(CONTACTS)].map(({ Email }) => ({ Email }))
    await service.client.call('PUT', '/targets', rows)
    const ids = (await service.client.call<{ id: string }[]>('GET', '/targets')).map(({ id }) => id)
    const bare = fork(new URL('bare-read.ts', import.meta.url), [service.databaseUrl, String(service.account)])
    const [{ port }] = (await once(bare, 'message')) as [{ port: number }]
    const path = (n: number): string => `/targets/${ids[n % ids.length]}`
    const ours: number[] = []
    const theirs: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const baseline = await requestsPerSecond({ ...load, url: (n) => `http://127.0.0.1:${port}${path(n)}` })
      const measured = await requestsPerSecond({
        ...load,
        url: (n) => `${service.client.url}${path(n)}`,
        headers: { 'x-key': service.key },
      })
      report(
        `round ${round}: ${Math.round(measured)} reads/s, bare ${Math.round(baseline)}${round === 0 ? ' (warm-up)' : ''}`,
      )
      if (round === 0) continue
      ours.push(measured)
      theirs.push(baseline)
    }
    bare.disconnect()
    const ratios = ours.map((value, index) => value / theirs[index]!)
    return {
      readsPerSecond: Math.round(median(ours)),
      bareReadsPerSecond: Math.round(median(theirs)),
      ratioToBareRoute: rounded(median(ratios)),
    }
  } finally {
    await service.stop()
  }
}
