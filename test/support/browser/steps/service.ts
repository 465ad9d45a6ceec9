import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeEmbeddedPostgres } from '../../../../src/database/embedded.ts'
import { findFreePort } from '../../../../src/lib/net/free-port.ts'
import { type Program, type Scope, startProgram, untilReady } from '../../processes/process.ts'
import { eventually } from '../../wait.ts'

/** A service of its own, begun with an empty data directory. */
export interface FreshService {
  url: string
  /** The link that the first start prints. */
  setUpLink: string
  start(): Promise<void>
  stop(): Promise<void>
}

/** Starts the program with an empty data directory; it may connect to this port of the machine alone. */
export async function startFresh(scope: Scope, reachable: number): Promise<FreshService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stentor-first-'))
  const port = String(await findFreePort())
  const url = `http://localhost:${port}`
  const settings = {
    STENTOR_DATA_DIR: dataDir,
    STENTOR_HTTP_PORT: port,
    STENTOR_PUBLIC_URL: url,
    STENTOR_OUTGOING_ALLOW: `127.0.0.1:${reachable}`,
  }
  let program: Program | undefined
  let printed = ''
  const start = async (): Promise<void> => {
    program = startProgram(['start'], settings)
    program.child.stdout?.on('data', (text: string) => (printed += text))
    await untilReady(url, program, scope.signal)
  }
  const stop = async (): Promise<void> => {
    program?.child.kill('SIGTERM')
    await program?.ended
  }
  scope.after(async () => {
    await stop()
    await removeEmbeddedPostgres(join(dataDir, 'postgres'))
    await rm(dataDir, { recursive: true, force: true })
  })
  await start()
  const setUpLink = await eventually(() => printed.match(/http:\S+setup\S+/)?.[0])
  return { url, setUpLink, start, stop }
}
