import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { listUploadTexts, verifyArchive } from '../../../src/features/imports/files/archives.ts'
import { Problem } from '../../../src/lib/errors/problem.ts'
import { zip } from '../../support/files/zip.ts'

/** Files that an archive may hold. */
const MAX = 10_000

let directory = ''

before(async () => void (directory = await mkdtemp(join(tmpdir(), 'stentor-many-files-'))))
after(() => rm(directory, { recursive: true }))

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `${n}.csv`)

async function zipOf(count: number) {
  const path = join(directory, `${count}.zip`)
  await writeFile(path, zip(names(count).map((name) => ({ name, data: Buffer.alloc(0) }))))
  return { path, name: 'many.zip', maxUnpacked: 1 << 30, onRead: () => {} }
}

/** As the system's own `tar` writes it. */
async function tgzOf(count: number) {
  const folder = await mkdtemp(join(directory, 'tar-'))
  await Promise.all(names(count).map((name) => writeFile(join(folder, name), '')))
  execFileSync('tar', ['-czf', '../made.tgz', '.'], { cwd: folder })
  return { path: join(directory, 'made.tgz'), name: 'many.tgz', maxUnpacked: 1 << 30, onRead: () => {} }
}

const isBroken = (error: unknown) => error instanceof Problem && error.kind === 'archive-broken'

test('a zip archive of 10,000 files is read, in the order of their names', async () => {
  const file = await zipOf(MAX)
  await verifyArchive(file)
  const found = await listUploadTexts(file, join(directory, 'scratch'))
  assert.deepEqual(
    found.map(({ name }) => name),
    names(MAX).toSorted((a, b) => (a < b ? -1 : 1)),
  )
  for (const text of found) {
    const content = await text.open()
    assert.ok('bytes' in content)
    assert.equal(Buffer.concat(await Array.fromAsync(content.bytes)).length, 0)
  }
})

test('archives of more than 10,000 files are refused', async () => {
  await assert.rejects(verifyArchive(await zipOf(MAX + 1)), isBroken)
  await assert.rejects(verifyArchive(await tgzOf(MAX + 1)), isBroken)
})
