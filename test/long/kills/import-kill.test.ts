import assert from 'node:assert/strict'
import { readdir, utimes } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { seededRun } from '../../fakes/scripts/seeded.ts'
import { KEY, prepareService } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

const LINES = 200_000
const KILLS = 2

/**
 * The file, of whose every thousand lines one names a known contact, one repeats such a line of an earlier batch, one a
 * line of a new contact, and one is no address.
 */
function address(n: number): string {
  const place = n % 1000
  if (place === 999) return 'no address'
  if (place === 500 && n > 10_500) return address(n - 10_500)
  if (place === 700 && n > 10_600) return address(n - 10_600)
  return `p${n}@killed.example`
}

const known = Array.from({ length: LINES / 1000 }, (_, thousand) => ({
  Email: address(thousand * 1000).toUpperCase(),
  // Half of them differ from their line.
  'Last name': thousand % 2 === 0 ? 'Before' : `Name ${thousand * 1000}`,
}))
const expected = { created: 199_221, updated: 100, rejected: 200, duplicates: 379, skipped: 100 }

interface Run {
  id: number
  state: number
  progress: { lines: number }
  created: number
  updated: number
  rejected: number
  duplicates: number
  skipped: number
}

test('an import whose process is repeatedly killed ends like an undisturbed one', async (t) => {
  const random = seededRun(t)
  const { database, url, start, kill, call } = await prepareService(t)
  await start()
  await call('POST', '/fields', { type: 'textField', name: 'Last name' })
  await call('PUT', '/targets', known)
  const { id } = await call<{ id: number }>('POST', '/imports', { name: 'killed' })
  const file = `Email;Last name\n${Array.from({ length: LINES }, (_, n) => `${address(n)};Name ${n}\n`).join('')}`
  const path = `/imports/${id}/executions`
  const { id: execution } = await call<Run>('POST', path, file, 'text/csv')
  const present = (): Promise<Run> => call<Run>('GET', `${path}/${execution}`)

  for (let part = 0; part < KILLS; part++) {
    // Somewhere in each part of the file, and somewhere within a batch.
    const line = Math.floor(((part + random() * 0.8) * LINES) / KILLS)
    await eventually(async () => (await present()).progress.lines >= line, t.signal)
    await delay(random() * 100)
    await kill()
    const { rows } = await database.pool.query('select state from import_executions')
    assert.deepEqual(rows, [{ state: 0 }], 'it is killed before its end')
    await start()
  }

  const { created, updated, rejected, duplicates, skipped, ...ended } = await eventually(async () => {
    const run = await present()
    return run.state !== 0 && run
  }, t.signal)
  assert.deepEqual([ended.state, ended.progress.lines], [1, LINES])
  assert.deepEqual({ created, updated, rejected, duplicates, skipped }, expected)
  const { rows } = await database.pool.query<{ key: string }>('select key from contacts order by key collate "C"')
  const keys = new Set(Array.from({ length: LINES }, (_, n) => address(n)))
  keys.delete('no address')
  assert.deepEqual(
    rows.map(({ key }) => key),
    [...keys].sort(),
  )
  assert.deepEqual(await call('GET', '/targets/count'), { targetsCount: keys.size })
  const rejects = await (await fetch(`${url}${path}/${execution}/rejects`, { headers: { 'x-key': KEY } })).text()
  assert.equal(rejects.trimEnd().split('\n').length - 1, expected.rejected + expected.duplicates)
})

test('the partial file of a killed upload is deleted once no process can be writing to it', async (t) => {
  const { dataDir, url, start, kill, call } = await prepareService(t)
  await start()
  const { id } = await call<{ id: number }>('POST', '/imports', { name: 'cut off' })
  await call('PUT', `/imports/${id}/source`, 'Email\nann@cut.example\n', 'text/csv')
  const partsOf = async () =>
    (await readdir(join(dataDir, 'imports'), { recursive: true })).filter((name) => name.endsWith('.part'))
  const upload = request(`${url}/imports/${id}/source`, {
    method: 'PUT',
    headers: { 'x-key': KEY, 'content-type': 'text/csv', 'content-length': 1_000_000 },
  })
  upload.on('error', () => undefined)
  upload.write('Email\n'.padEnd(100_000, 'x'))
  const [part = ''] = await eventually(async () => (await partsOf()).length === 1 && partsOf(), t.signal)
  await kill()
  assert.deepEqual(await partsOf(), [part])
  const hoursAgo = Date.now() / 1000 - 2 * 3600
  await utimes(join(dataDir, 'imports', part), hoursAgo, hoursAgo)
  await start()
  await eventually(async () => (await partsOf()).length === 0, t.signal)
  const path = `/imports/${id}/executions`
  const { id: execution } = await call<Run>('POST', path, '')
  const ended = await eventually(async () => {
    const run = await call<Run>('GET', `${path}/${execution}`)
    return run.state !== 0 && run
  }, t.signal)
  assert.deepEqual([ended.state, ended.created], [1, 1])
})
