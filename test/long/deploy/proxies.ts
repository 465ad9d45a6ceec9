import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import type { Scope } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'
import { ROOT, read } from './checkout.ts'

/** Where a proxy and its service are. */
interface Ports {
  proxy: number
  service: number
}

/** A proxy that Debian has, and how it is started with its file of deploy/. */
interface ProxyKind {
  name: string
  /** Words that show whether it is installed. */
  probe: string[]
  start(folder: string, ports: Ports): Promise<ChildProcess>
}

const quiet: SpawnOptions = { stdio: ['ignore', 'ignore', 'pipe'] }

/** Text of a file of deploy/ with its places: each must be there. */
function placed(path: string, places: Record<string, string>): string {
  let text = read(path)
  for (const [from, to] of Object.entries(places)) {
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
    text = text.replaceAll(from, to)
  }
  return text
}

/** Around the file that stands in the http block of a machine's own nginx. */
const nginxAround = (folder: string): string => `daemon off;
error_log stderr error;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`).join(' ')}
  include ${folder}/stentor.conf;
}
`

async function startNginx(folder: string, { proxy, service }: Ports): Promise<ChildProcess> {
  const places = { '127.0.0.1:8080': `127.0.0.1:${service}`, '\n  listen 80;': `\n  listen 127.0.0.1:${proxy};` }
  await writeFile(join(folder, 'stentor.conf'), placed('deploy/proxy/nginx.conf', places))
  await writeFile(join(folder, 'nginx.conf'), nginxAround(folder))
  return spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'], quiet)
}

/** Its file is taken as it is: the environment names the places. */
async function startCaddy(folder: string, { proxy, service }: Ports): Promise<ChildProcess> {
  const to = `127.0.0.1:${service}`
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    STENTOR_SITE: `http://localhost:${proxy}`,
    STENTOR_API: to,
    STENTOR_TRACKING: to,
    STENTOR_INBOUND: to,
  }
  const around = join(folder, 'Caddyfile')
  // Its own port for commands is another program's here.
  await writeFile(around, `{\n\tadmin off\n}\nimport ${ROOT}deploy/proxy/Caddyfile\n`)
  return spawn('caddy', ['run', '--config', around, '--adapter', 'caddyfile'], { ...quiet, env })
}

/** What the tests stand in front of the service. */
export const proxyKinds: readonly ProxyKind[] = [
  { name: 'nginx', probe: ['nginx', '-v'], start: startNginx },
  { name: 'caddy', probe: ['caddy', 'version'], start: startCaddy },
]

/** Whether a kind is installed here. */
export function isInstalled({ probe: [program = '', ...words] }: ProxyKind): boolean {
  return spawnSync(program, words).error === undefined
}

async function answers(port: number): Promise<true> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
  return true
}

/** Starts a proxy in front of a service, and waits until it listens; it ends with the scope. */
export async function startProxy(scope: Scope, kind: ProxyKind, ports: Ports): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), `stentor-${kind.name}-`))
  await chmod(folder, 0o755)
  const child = await kind.start(folder, ports)
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = once(child, 'exit')
  scope.after(async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await ended
    await rm(folder, { recursive: true, force: true })
  })
  await eventually(() => child.exitCode !== null || answers(ports.proxy), scope.signal)
  if (child.exitCode !== null) throw new Error(`${kind.name} ended: ${errors}`)
}

/** Two free ports. */
export async function freePorts(): Promise<Ports> {
  return { proxy: await findFreePort(), service: await findFreePort() }
}
