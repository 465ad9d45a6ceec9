import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkSpoolFiles } from './doctor-spools.ts'

test('doctor names the files of spools that were set aside, and nothing where there are none', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'stentor-spools-'))
  t.after(() => rm(dataDir, { recursive: true }))
  assert.deepEqual(await checkSpoolFiles(dataDir), [])
  await mkdir(join(dataDir, 'spool', 'mail'), { recursive: true })
  const files = ['a.ndjson', 'a.ndjson.unreadable', 'mail/b.ndjson.unreadable'].map((name) =>
    join(dataDir, 'spool', name),
  )
  for (const file of files) await writeFile(file, '')
  assert.deepEqual(
    (await checkSpoolFiles(dataDir)).map(({ ok, seen }) => [ok, seen]),
    files.slice(1).map((file) => [false, `unreadable file ${file}`]),
  )
})
