import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type ProcessRole, processRoles } from '../../../src/config.ts'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { type S3Peer, startS3Peer } from '../../fakes/web/s3.ts'
import { cloneDatabase, type TestDatabase } from '../database/database.ts'
import { makeService, type Service, type Settings } from '../processes/process.ts'

/** A process that plays one role; `mailPort`: of its listener, if it is `inbound`. */
export interface Player extends Service {
  role: ProcessRole
  machine: number
  mailPort: number
}

export interface Topology {
  database: TestDatabase
  bucket: S3Peer
  /** Of the machines in turn. */
  players: Record<ProcessRole, Player[]>
  all: Player[]
  dataDirs: string[]
}

const KEYS = { region: 'us-east-1', accessKey: 'AKIDTOPO', secretKey: 'topology' }

async function player(shared: Settings, dataDir: string, [role, machine]: [ProcessRole, number], signal: AbortSignal) {
  const mailPort = role === 'inbound' ? await findFreePort() : 0
  const own = { STENTOR_DATA_DIR: dataDir, STENTOR_SMTP_IN_PORT: String(mailPort) }
  return { ...(await makeService({ ...shared, ...own }, signal, role)), role, machine, mailPort }
}

/**
 * Starts one process of each role on each of two machines, which share a database and a bucket and no disk; all of it goes
 * with the test. `storeUrl`: of a store of events that all of them are given.
 */
export async function startTopology(
  t: TestContext,
  { settings = {}, storeUrl }: { settings?: Settings; storeUrl?: string | undefined } = {},
): Promise<Topology> {
  // Each process is killed with that of the tests, of which Node takes more than ten for a leak.
  process.setMaxListeners(50)
  const database = await cloneDatabase()
  const bucket = await startS3Peer('stentor', KEYS)
  const shared: Settings = {
    STENTOR_DATABASE_URL: database.url,
    STENTOR_DATABASE_POOL: '5',
    STENTOR_MASTER_KEY: `0:${randomBytes(32).toString('base64')}`,
    STENTOR_PUBLIC_URL: 'https://stentor.example',
    STENTOR_ARCHIVES: 's3://stentor/all',
    STENTOR_S3_ENDPOINT: bucket.url,
    STENTOR_S3_ACCESS_KEY: KEYS.accessKey,
    STENTOR_S3_SECRET_KEY: KEYS.secretKey,
    STENTOR_MODE: 'production',
    ...(storeUrl !== undefined && { STENTOR_EVENTS_URL: storeUrl }),
    ...settings,
  }
  const dataDirs = [await mkdtemp(join(tmpdir(), 'stentor-a-')), await mkdtemp(join(tmpdir(), 'stentor-b-'))]
  const places = processRoles.flatMap((role) => dataDirs.map((_, machine): [ProcessRole, number] => [role, machine]))
  const all = await Promise.all(places.map((place) => player(shared, dataDirs[place[1]] ?? '', place, t.signal)))
  t.after(async () => {
    await Promise.all(all.map(({ kill }) => kill()))
    await bucket.close()
    await database.drop()
    for (const directory of dataDirs) await rm(directory, { recursive: true, force: true })
  })
  // The first makes the account that the others find.
  const [first, ...rest] = all
  await first?.start()
  await Promise.all(rest.map(({ start }) => start()))
  const players = Object.fromEntries(processRoles.map((role) => [role, all.filter((one) => one.role === role)]))
  return { database, bucket, players: players as Topology['players'], all, dataDirs }
}
