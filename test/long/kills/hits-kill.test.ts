import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfiguredMasterKeys } from '../../../src/cli/commands/master-keys.ts'
import { readConfig } from '../../../src/config.ts'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { findClusterHome } from '../../../src/database/embedded/home.ts'
import { findPostmaster } from '../../../src/database/embedded/postmaster.ts'
import { findEmbeddedPostgresUrl } from '../../../src/database/embedded.ts'
import { createAccountTokenKeys, type MessageLinkToken, signLinkToken } from '../../../src/lib/crypto/tokens.ts'
import { seededRun } from '../../fakes/scripts/seeded.ts'
import { visit } from '../../fakes/web/visit.ts'
import { type PreparedService, prepareEmbedded } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

const HITS = 10_000
const CONNECTIONS = 16
/** What is killed while the hits come, one after the other. */
const kills = ['service', 'database', 'service', 'both', 'database', 'service'] as const

const databaseOf = ({ dataDir }: PreparedService): string => join(dataDir, 'postgres')

async function killDatabase(service: PreparedService): Promise<void> {
  const server = await findPostmaster(join(await findClusterHome(databaseOf(service)), 'cluster'))
  if (server) process.kill(server.pid, 'SIGKILL')
}

/** Sends one message; gives its action, and the paths of its pixel and its link. */
async function sendMessage(service: PreparedService): Promise<{ action: string; paths: string[] }> {
  const { call, dataDir } = service
  const contact = await call<{ id: string }>('POST', '/targets', { Email: 'reader@killed.example' })
  const html = '<html><body><a href="https://shop.example/a">Come in</a></body></html>'
  const { id: action } = await call<{ id: string }>('POST', '/actions', {
    type: 'mailMessage',
    name: 'killed',
    content: { subject: 'Hello', html },
  })
  const reaches = (state: number) =>
    eventually(async () => (await call<{ state: number }>('GET', `/actions/${action}`)).state === state)
  await call('POST', `/actions/${action}/validation`, { fortest: true, mediaForTest: 'proof@desk.example' })
  await reaches(38)
  await call('POST', `/actions/${action}/validation`, { fortest: false })
  await reaches(50)
  await call('POST', `/actions/${action}/execution`, { recipient: { type: 'id', value: contact.id } })
  const keys = createAccountTokenKeys(loadConfiguredMasterKeys(readConfig({ STENTOR_DATA_DIR: dataDir })))
  const { pool, close } = openDatabasePool((await findEmbeddedPostgresUrl(databaseOf(service))) ?? '', { max: 1 })
  const message = await eventually(async () => {
    const { rows } = await pool.query<Omit<MessageLinkToken, 'kind' | 'link' | 'test' | 'silent'>>(
      `select account, source_kind as "sourceKind", source, version, contact, stamp from sent_messages
       where address = 'reader@killed.example'`,
    )
    return rows[0]
  })
  await close()
  const token = { ...message, test: false, silent: false }
  return {
    action,
    paths: [
      `/t/o/${signLinkToken(keys, { ...token, kind: 'open', link: 0 })}`,
      `/t/r/${signLinkToken(keys, { ...token, kind: 'redirection', link: 1 })}`,
    ],
  }
}

/** The name by which a hit is known again in the log. */
function agentOf(n: number): string {
  return `Mozilla/5.0 (X11; Linux x86_64; n:${n}) Firefox/140.0`
}

/** Follows the paths in turn until so many hits were answered and `isOver`; gives the numbers of those that were. */
async function hitAndRun(url: string, paths: readonly string[], isOver: () => boolean): Promise<Set<number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const answered = new Set<number>()
  let sent = 0
  async function connection(): Promise<void> {
    while (answered.size < HITS || !isOver()) {
      const n = sent++
      // As it is answered when it is recorded.
      const status = await visit(`${url}${paths[n % paths.length]}`, agent, agentOf(n))
      if (status === 200 || status === 302) answered.add(n)
      // A server that is being started is not asked as fast as it would refuse.
      else await delay(200)
      if (answered.size >= HITS) await delay(5)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  agent.destroy()
  return answered
}

test('every answered hit is recorded once although the process and the database are repeatedly killed', async (t) => {
  const random = seededRun(t)
  const service = await prepareEmbedded(t)
  await service.start()
  const { action, paths } = await sendMessage(service)

  let left: number = kills.length
  const hitting = hitAndRun(service.url, paths, () => left === 0)
  for (const victim of kills) {
    await delay(300 + random() * 1500)
    if (victim !== 'service') await killDatabase(service)
    if (victim === 'both') await delay(random() * 300)
    if (victim !== 'database') {
      await service.kill()
      await service.start()
    }
    left--
  }
  const answered = await hitting
  const spool = join(service.dataDir, 'spool')
  await eventually(async () => !(await readdir(spool)).some((file) => file.endsWith('.ndjson')), t.signal)

  type Event = { source: { detail: { hit: { userAgent: string } } } }
  const events = await service.call<Event[]>('GET', `/actions/${action}/events/hits?classification=all`)
  const counts = new Map<string, number>()
  for (const { source } of events) {
    const { userAgent } = source.detail.hit
    counts.set(userAgent, (counts.get(userAgent) ?? 0) + 1)
  }
  assert.ok(answered.size >= HITS)
  assert.deepEqual(
    [...answered].filter((n) => counts.get(agentOf(n)) !== 1),
    [],
    'answered hits are there once',
  )
  // Those of killed connections may be there, too.
  assert.ok([...counts.values()].every((count) => count === 1))
})
