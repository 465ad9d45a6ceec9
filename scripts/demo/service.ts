import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeEmbeddedPostgres } from '../../src/database/embedded.ts'
import { findFreePort } from '../../src/lib/net/free-port.ts'
import { type Client, connectClient, eventually } from './client.ts'

export interface DemoService {
  client: Client
  key: string
  dataDir: string
  pid: number
  stop(): Promise<void>
}

const MAIN = join(import.meta.dirname, '../../src/main.ts')
const STARTED_WITHIN_MS = 180_000

/** Starts the program as a process of its own, on a throw-away data directory, its mail going to the given SMTP port. `environment`: more settings. */
export async function startService(smtpPort: number, environment: Record<string, string> = {}): Promise<DemoService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stentor-demo-'))
  const key = randomBytes(24).toString('base64url')
  const port = await findFreePort()
  const child = spawn(process.execPath, [MAIN, 'start'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // A signal from the terminal reaches this process, which then stops the service in order.
    detached: true,
    env: {
      ...process.env,
      STENTOR_DATA_DIR: dataDir,
      STENTOR_HTTP_PORT: String(port),
      STENTOR_SMTP_IN_PORT: '0',
      STENTOR_BOOTSTRAP_KEY: key,
      STENTOR_SMTP_URL: `smtp://127.0.0.1:${smtpPort}?tls=none`,
      STENTOR_LOG_LEVEL: 'warn',
      ...environment,
    },
  })
  const exited = once(child, 'exit')
  const url = `http://localhost:${port}`
  async function stop(): Promise<void> {
    child.kill('SIGTERM')
    await exited
    // As root the database lives elsewhere, and only a link to it here.
    const database = join(dataDir, 'postgres')
    if (existsSync(database)) await removeEmbeddedPostgres(database)
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await eventually('the service', STARTED_WITHIN_MS, async () => {
      if (child.exitCode !== null) throw new Error(`the service exited with status ${child.exitCode}`)
      const answer = await fetch(`${url}/health/ready`).catch(() => undefined)
      return answer?.ok ? true : undefined
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { client: connectClient(url, key), key, dataDir, pid: child.pid ?? 0, stop }
}
