import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { eventually } from '../../support/wait.ts'
import { knownFiles, read } from './checkout.ts'
import { allOf, environmentOf, execForm, readContainerfile } from './containerfile.ts'
import { follow } from './image.ts'

/** An account without rights, which the service runs under where the tests run as root. */
const NOBODY = 65534
const isRoot = process.getuid?.() === 0
const account = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

const stages = readContainerfile(read('deploy/Containerfile'))
const image = stages.at(-1)!
const [workdir = ''] = allOf(image, 'WORKDIR')

/** The folder and the data directory of a built image. */
async function build(files: readonly string[]): Promise<{ folder: string; place: string; data: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'stentor-image-'))
  await chmod(folder, 0o755)
  const builder = { files, ignore: read('.dockerignore'), folder }
  await Promise.all(stages.slice(0, -1).map((stage) => follow(builder, stage)))
  const place = await follow(builder, image)
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  if (isRoot) await chown(data, NOBODY, NOBODY)
  return { folder, place, data }
}

const STEPS = 'the Containerfile builds a service that runs under another account, reports its health and stops'

test(STEPS, async (t) => {
  const files = knownFiles()
  if (!files) return t.skip('this is no checkout of git')
  const { folder, place, data } = await build(files)
  const ending: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  t.after(async () => {
    for (const end of ending.toReversed()) await end()
  })
  const here = (words: readonly string[]) => words.map((word) => word.replace(workdir, place))
  const port = String(await findFreePort())
  const env = {
    ...environmentOf(image),
    PATH: process.env['PATH'] ?? '',
    HOME: data,
    STENTOR_DATA_DIR: data,
    STENTOR_HTTP_PORT: port,
    STENTOR_SMTP_IN_PORT: '0',
    STENTOR_LOG_LEVEL: 'warn',
  }
  const [check = '', ...checkWords] = here(execForm(allOf(image, 'HEALTHCHECK')[0] ?? '') ?? [])
  const health = () => spawnSync(check, checkWords, { env, ...account, encoding: 'utf8' })
  assert.deepEqual([health().status, health().stdout], [1, 'no response: fetch failed\n'])

  const entry = [...execForm(allOf(image, 'ENTRYPOINT')[0] ?? '')!, ...execForm(allOf(image, 'CMD')[0] ?? '')!]
  const [program = '', ...words] = here(entry)
  const service = spawn(program, words, { env, ...account, cwd: place, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = once(service, 'exit')
  // Not killed: its database would be left.
  ending.push(() => (service.kill('SIGTERM') ? ended : Promise.resolve()))
  await eventually(() => service.exitCode !== null || health().status === 0, t.signal)
  assert.equal(service.exitCode, null, output)
  assert.equal(health().stdout, '{"status":"ready","checks":{"database":"ok"}}\n')
  const page = await fetch(`http://127.0.0.1:${port}/console/`, { headers: { accept: 'text/html' } })
  assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
  const manual = await fetch(`http://127.0.0.1:${port}/manual/reference/settings.html`)
  assert.deepEqual([manual.status, manual.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
  assert.match(output, /Account DEMO001, API key/)

  service.kill('SIGTERM')
  // A service that does not stop in time says so by its status.
  assert.deepEqual(await ended, [0, null], output)
})
