import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createFields, importContacts, sendProof, validate } from '../scripts/demo/campaign.ts'
import { eventually } from '../scripts/demo/client.ts'
import { generateContacts, toCsv } from '../scripts/demo/contacts.ts'
import { loadConfiguredMasterKeys } from '../src/cli/commands/master-keys.ts'
import { readConfig } from '../src/config.ts'
import { openDatabasePool } from '../src/database/connection/connect.ts'
import { createAccountTokenKeys, signLinkToken } from '../src/lib/crypto/tokens.ts'
import type { HitLoad, HitResult } from './hit-load.ts'
import { median, rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { type BenchService, startBenchService } from './service.ts'

/** Messages whose links are followed: enough that no contact seems to follow several links of one at once. */
const MESSAGES = 10_000
const ROUNDS = 5
const load = { connections: 64, milliseconds: 4000 }

const userAgents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
]

const HTML = '<html><body><a href="https://shop.example/pears?from=letter">Pears</a></body></html>'

/** Sends a campaign to so many contacts; gives its id. */
async function sendCampaign({ client }: BenchService, messages: number): Promise<string> {
  await createFields(client)
  const rows = [...generateContacts(messages)].map((row) => ({ ...row, 'Opt-in': 'yes' }))
  const silent = { step: () => undefined, end: () => undefined }
  const { segment } = await importContacts(client, toCsv(rows), messages, silent)
  const { id } = await client.call<{ id: string }>('POST', '/actions', {
    type: 'mailCampaign',
    name: 'bench',
    settings: { contentFormat: 1 },
    content: { headers: { from: { prefix: 'letter', label: 'The Orchard' } }, subject: 'The pears are in', html: HTML },
    scheduler: { type: 'asap', segments: { selected: [segment] } },
  })
  await sendProof(client, id)
  await validate(client, id)
  await eventually('the messages', 300_000, async () => {
    const { monitor } = await client.call<{ monitor: { sent: number } | null }>('GET', `/actions/${id}`)
    return (monitor?.sent ?? 0) >= messages ? true : undefined
  })
  return id
}

/** The path of the link in each message that was sent. */
async function linkPaths(service: BenchService): Promise<string[]> {
  const keys = createAccountTokenKeys(loadConfiguredMasterKeys(readConfig({ STENTOR_DATA_DIR: service.dataDir })))
  const { pool, close } = openDatabasePool(service.databaseUrl, { max: 1 })
  const { rows } = await pool.query<{ source: number; version: number; contact: number; stamp: string }>(
    'select source, version, contact, stamp from sent_messages where contact is not null',
  )
  await close()
  const { account } = service
  return rows.map(
    (row) =>
      `/t/r/${signLinkToken(keys, { ...row, account, sourceKind: 'action', kind: 'redirection', link: 1, test: false, silent: false })}`,
  )
}

/** Gives a load to the generator. Throws when a request is not answered with a redirect. */
async function run(generator: ChildProcess, work: HitLoad): Promise<Exclude<HitResult, { error: string }>> {
  const answer = once(generator, 'message')
  generator.send(work)
  const [result] = (await answer) as [HitResult]
  if ('error' in result) throw new Error(`not answered with a redirect: ${result.error}`)
  return result
}

/** How many hits of an action the interface shows. */
async function countHits({ client, key }: BenchService, action: string): Promise<number> {
  const response = await fetch(`${client.url}/actions/${action}/events/hits/redirection?classification=all`, {
    headers: { 'x-key': key, accept: 'application/x-ndjson' },
  })
  let lines = 0
  for await (const chunk of response.body ?? []) lines += Buffer.from(chunk).filter((byte) => byte === 10).length
  return lines
}

/**
 * Redirects of tracked links a second on 64 keep-alive connections, each hit on the disk before its answer, against a
 * bare Fastify route that redirects. At least 8,000 and 0.15 of the bare route; the hits are counted afterwards.
 */
export const benchmark: Benchmark = async (report, size = MESSAGES) => {
  const sink = fork(new URL('../test/fakes/mail/smtp-sink.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ port: smtpPort }] = (await once(sink, 'message')) as [{ port: number }]
  const service = await startBenchService(smtpPort)
  const generator = fork(new URL('hit-load.ts', import.meta.url))
  const bare = fork(new URL('bare-redirect.ts', import.meta.url))
  try {
    const [{ port: barePort }] = (await once(bare, 'message')) as [{ port: number }]
    const action = await sendCampaign(service, size)
    const work = { ...load, paths: await linkPaths(service), userAgents }
    const port = Number(new URL(service.client.url).port)
    const rates: { ours: number; bare: number; p99Ms: number }[] = []
    let answered = 0
    for (let round = 0; round <= ROUNDS; round++) {
      const theirs = await run(generator, { ...work, port: barePort, milliseconds: load.milliseconds / 2 })
      const ours = await run(generator, { ...work, port })
      answered += ours.answered
      const [rate, bareRate] = [ours, theirs].map((one) => (one.answered * 1000) / one.milliseconds) as [number, number]
      const figures = `${Math.round(rate)} hits/s, p99 ${rounded(ours.p99Ms, 1)} ms, bare ${Math.round(bareRate)}`
      report(`round ${round}: ${figures}${round === 0 ? ' (warm-up)' : ''}`)
      if (round > 0) rates.push({ ours: rate, bare: bareRate, p99Ms: ours.p99Ms })
    }
    return {
      connections: load.connections,
      answered,
      hitsPerSecond: Math.round(median(rates.map(({ ours }) => ours))),
      bareRedirectsPerSecond: Math.round(median(rates.map((rate) => rate.bare))),
      ratioToBareRoute: rounded(median(rates.map((rate) => rate.ours / rate.bare))),
      p99Ms: rounded(median(rates.map(({ p99Ms }) => p99Ms)), 1),
      lost: answered - (await countHits(service, action)),
    }
  } finally {
    generator.disconnect()
    bare.disconnect()
    sink.disconnect()
    await service.stop()
  }
}
