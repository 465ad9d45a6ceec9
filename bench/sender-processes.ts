import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { eventually } from '../scripts/demo/client.ts'
import { findFreePort } from '../src/lib/net/free-port.ts'
import type { BenchService } from './service.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const STARTED_WITHIN_MS = 60_000

async function startSender({ dataDir, databaseUrl }: BenchService, smtpPort: number): Promise<() => Promise<void>> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [MAIN, 'start', '--role', 'sender'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      STENTOR_DATA_DIR: dataDir,
      STENTOR_DATABASE_URL: databaseUrl,
      STENTOR_HTTP_PORT: String(port),
      STENTOR_SMTP_IN_PORT: '0',
      STENTOR_SMTP_URL: `smtp://127.0.0.1:${smtpPort}?tls=none`,
      STENTOR_LOG_LEVEL: 'warn',
    },
  })
  const exited = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exited
  }
  try {
    await eventually('a sender', STARTED_WITHIN_MS, async () => {
      if (child.exitCode !== null) throw new Error(`a sender exited with status ${child.exitCode}`)
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
      return answer?.ok ? true : undefined
    })
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

/** Starts so many processes that do nothing but send beside a service; gives what ends them, before that is stopped. */
export async function startSenders(
  service: BenchService,
  smtpPort: number,
  count: number,
): Promise<() => Promise<unknown>> {
  const started = await Promise.allSettled(Array.from({ length: count }, () => startSender(service, smtpPort)))
  const stops = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const stopAll = () => Promise.all(stops.map((stop) => stop()))
  const failed = started.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') {
    await stopAll()
    throw failed.reason
  }
  return stopAll
}
