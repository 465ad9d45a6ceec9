import assert from 'node:assert/strict'
import { appendFile, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '#test/support/wait.ts'
import { openDiskSpool } from './spool.ts'

const root = await mkdtemp(join(tmpdir(), 'stentor-spool-'))
after(() => rm(root, { recursive: true, force: true }))

const KIBIBYTE = 1024

async function allRecords(spool: Awaited<ReturnType<typeof openDiskSpool>>): Promise<unknown[]> {
  const files = await spool.finished()
  return (await Promise.all(files.map((file) => spool.read(file, isNumbered)))).flatMap(({ records }) => records)
}

function isNumbered(value: unknown): value is { n: number } {
  return typeof value === 'object' && value !== null && 'n' in value
}

test('records are returned in the order they were added until they are removed', async () => {
  const spool = await openDiskSpool(join(root, 'order'), KIBIBYTE)
  const batches = [[{ n: 1 }, { n: 2 }], [{ n: 3, text: 'é\n' }]]
  assert.deepEqual(await Promise.all(batches.map((batch) => spool.append(batch))), [true, true])
  assert.deepEqual(await allRecords(spool), batches.flat())
  for (const file of await spool.finished()) await spool.remove(file)
  assert.deepEqual(await spool.finished(), [])
  assert.equal(spool.size(), 0)
  await spool.close()
})

test('records over the limit are refused until there is room again', async () => {
  const spool = await openDiskSpool(join(root, 'limit'), 100)
  const record = { text: 'x'.repeat(60) }
  assert.equal(await spool.append([record]), true)
  assert.equal(await spool.append([record]), false)
  for (const file of await spool.finished()) await spool.remove(file)
  await spool.finished()
  assert.equal(await spool.append([record]), true)
  await spool.close()
})

test('a line that a dead process did not finish is skipped', async () => {
  const directory = join(root, 'torn')
  const first = await openDiskSpool(directory, KIBIBYTE)
  await first.append([{ n: 1 }])
  await first.close()
  const [file = ''] = await readdir(directory)
  await appendFile(join(directory, file), '{"n":')
  await utimes(join(directory, file), new Date(0), new Date(0))
  const second = await openDiskSpool(directory, KIBIBYTE)
  assert.deepEqual(await allRecords(second), [{ n: 1 }])
  await second.close()
})

test('a file that holds something else, or cannot be read, has a fault and is set aside by name', async () => {
  const directory = join(root, 'aside')
  const spool = await openDiskSpool(directory, KIBIBYTE)
  await mkdir(join(directory, 'directory.ndjson'))
  await writeFile(join(directory, 'foreign.ndjson'), '{"n":1}\nDear operator\n{"n":2}\n{"m":3}\n')
  await writeFile(join(directory, 'nuls.ndjson'), Buffer.alloc(64))
  const names = (await readdir(directory)).sort()
  const found = await Promise.all(names.map((name) => spool.read(name, isNumbered)))
  assert.match(found[0]?.fault ?? '', /EISDIR/)
  assert.deepEqual(found.slice(1), [
    { records: [{ n: 1 }, { n: 2 }], fault: '2 lines are not records' },
    { records: [], fault: '1 line is not a record' },
  ])
  for (const name of names) await spool.setAside(name)
  const aside = names.map((name) => `${name}.unreadable`)
  assert.deepEqual(await spool.listSetAside(), aside)
  assert.deepEqual((await readdir(directory)).sort(), aside)
  await spool.close()
})

test('a file is left to the process that writes it as long as it was written recently', async () => {
  const directory = join(root, 'shared')
  const [writer, reader] = [await openDiskSpool(directory, KIBIBYTE), await openDiskSpool(directory, KIBIBYTE)]
  await writer.append([{ n: 1 }])
  assert.deepEqual(await reader.finished(), [])
  const [file = ''] = await readdir(directory)
  await utimes(join(directory, file), new Date(0), new Date(0))
  assert.deepEqual(await reader.finished(), [file])
  await writer.close()
  await reader.close()
})

test("an empty directory is read at most once a second, but the spool's own writes are read at once", async () => {
  const directory = join(root, 'empty')
  const spool = await openDiskSpool(directory, KIBIBYTE)
  assert.deepEqual(await spool.finished(), [])
  await writeFile(join(directory, 'left.ndjson'), '{"n":1}\n')
  await utimes(join(directory, 'left.ndjson'), new Date(0), new Date(0))
  assert.deepEqual(await spool.finished(), [])
  await eventually(async () => (await spool.finished()).length === 1, 2000)
  for (const file of await spool.finished()) await spool.remove(file)
  assert.deepEqual(await spool.finished(), [])
  await spool.append([{ n: 2 }])
  assert.deepEqual(await allRecords(spool), [{ n: 2 }])
  await spool.close()
})
