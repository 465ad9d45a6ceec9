import assert from 'node:assert/strict'
import { chmod, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { isRunningAsRoot } from '../../../src/database/embedded/account.ts'
import { removeEmbeddedPostgres } from '../../../src/database/embedded.ts'
import { makeService, type Service } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

const root = await mkdtemp(join(tmpdir(), 'stentor-closed-'))
await chmod(root, 0o755)
const running = new Set<Service>()
after(async () => {
  for (const service of running) await service.end('SIGTERM')
  for (const name of ['first', 'second'])
    await removeEmbeddedPostgres(join(root, name, 'postgres')).catch(() => undefined)
  await rm(root, { recursive: true, force: true })
})

const dirOf = (name: string) => join(root, name)

async function service(name: string): Promise<Service> {
  const started = await makeService({ STENTOR_DATA_DIR: dirOf(name), STENTOR_LOG_LEVEL: 'warn' })
  running.add(started)
  return started
}

/** Paths below a folder with their modes, without links and files deleted meanwhile. */
async function* modesIn(folder: string): AsyncGenerator<{ path: string; mode: number; isFolder: boolean }> {
  const stats = await lstat(folder).catch(() => undefined)
  if (!stats || stats.isSymbolicLink()) return
  yield { path: folder, mode: stats.mode & 0o777, isFolder: stats.isDirectory() }
  if (!stats.isDirectory()) return
  for (const name of await readdir(folder).catch(() => [])) yield* modesIn(join(folder, name))
}

/** The permissions of other accounts in a data directory, by path. When root runs it, PostgreSQL's account passes through two folders. */
async function openIn(name: string): Promise<Record<string, string>> {
  const directory = dirOf(name)
  const passed = isRunningAsRoot() ? ['', 'postgres'] : []
  const open: Record<string, string> = {}
  for await (const { path, mode } of modesIn(directory)) {
    const inner = relative(directory, path)
    const allowed = passed.includes(inner) ? 0o011 : 0
    if ((mode & 0o077 & ~allowed) !== 0) open[inner] = mode.toString(8)
  }
  return open
}

async function filesIn(name: string, folder: string): Promise<number> {
  let files = 0
  for await (const { isFolder } of modesIn(join(dirOf(name), folder))) if (!isFolder) files++
  return files
}

/** Has a service write everything that it keeps in its data directory. */
async function use(client: Service): Promise<void> {
  const { id: contact } = await client.call('POST', '/targets', { Email: 'ann@shop.example' })
  const content = { subject: 'Hello', html: '<p>Hello</p>' }
  const settings = { archive: true }
  const { id } = await client.call('POST', '/actions', { type: 'mailMessage', name: 'Letter', content, settings })
  await client.call('PUT', '/settings/sending', { testRequired: false })
  await client.call('POST', `/actions/${id}/validation`, { fortest: false })
  await client.call('POST', `/actions/${id}/execution`, { recipient: { type: 'id', value: contact } })
  await client.call('POST', '/people/invitations', { email: 'new@people.example', role: 'viewer' })
  const { id: upload } = await client.call('POST', '/imports', { name: 'Contacts', features: [] })
  await client.call('PUT', `/imports/${upload}/source`, 'Email\nbob@shop.example\n', 'text/csv')
  await eventually(async () => (await filesIn('first', 'captured')) >= 2 && (await filesIn('first', 'archives')) >= 1)
}

test('what the service and its commands write is closed to other accounts, as is what was open before', async () => {
  const first = await service('first')
  await first.start()
  await use(first)
  for (const folder of ['archives', 'captured', 'imports', 'journals'])
    assert.ok((await filesIn('first', folder)) > 0, folder)
  assert.ok((await readdir(join(dirOf('first'), 'postgres'))).includes('cluster'))
  assert.deepEqual(await openIn('first'), {})
  await first.run('backup', '--to', dirOf('backup'))
  assert.deepEqual(await openIn('backup'), {})
  const second = await service('second')
  await second.run('restore', '--from', dirOf('backup'))
  assert.deepEqual(await openIn('second'), {})
  assert.ok((await filesIn('second', 'imports')) > 0)

  // As an earlier version left it.
  await first.end('SIGTERM')
  const outside = dirOf('outside')
  await mkdir(join(outside, 'folder'), { recursive: true })
  await writeFile(join(outside, 'file'), 'of somebody else')
  for await (const { path, isFolder } of modesIn(dirOf('first')))
    if (!path.includes('/postgres/cluster')) await chmod(path, isFolder ? 0o755 : 0o644)
  for await (const { path, isFolder } of modesIn(outside)) await chmod(path, isFolder ? 0o755 : 0o644)
  await symlink(outside, join(dirOf('first'), 'imports', 'elsewhere'))
  await symlink(join(outside, 'file'), join(dirOf('first'), 'captured', 'elsewhere.json'))
  assert.ok(Object.keys(await openIn('first')).length > 10)
  await first.start()
  assert.deepEqual(await openIn('first'), {})
  const modes = (await Array.fromAsync(modesIn(outside))).map(({ mode }) => mode.toString(8)).sort()
  assert.deepEqual(modes, ['644', '755', '755'])
})
