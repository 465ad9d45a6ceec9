import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { cloneDatabase, type TestDatabase } from '#test/support/database/database.ts'
import { openDatabasePool } from './connection/connect.ts'
import { migrateDatabase } from './migrate.ts'

let database: TestDatabase
let directory: string
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stentor-migrations-'))
  await database.pool.query('drop table if exists migrations, one, two, three')
})
afterEach(() => rm(directory, { recursive: true }))

async function write(files: Record<string, string>): Promise<void> {
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(directory, name), text)))
}

const run = (): Promise<string[]> => migrateDatabase(database.pool, { directory, log: () => undefined })

async function tables(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class where relname in ('one', 'two', 'three') order by relname`,
  )
  return rows.map(({ name }) => name)
}

describe('migrate', () => {
  it('says in one sentence that the search_path names no schema', async () => {
    const url = new URL(database.url)
    url.searchParams.set('options', '-c search_path=nowhere')
    const { pool, close } = openDatabasePool(url.href)
    await assert.rejects(migrateDatabase(pool, { directory, log: () => undefined }), {
      message: 'The search_path of the database, nowhere, names no existing schema. Set it to one, such as public.',
    })
    await close()
  })

  it('applies the files in order and once', async () => {
    await write({
      '0002-b.sql': 'alter table one add b int',
      '0001-a.sql': 'create table one (a int)',
      'readme.md': '',
    })
    assert.deepEqual(await run(), ['0001-a.sql', '0002-b.sql'])
    assert.deepEqual(await run(), [])
    await write({ '0003-c.sql': 'create table three ()' })
    assert.deepEqual(await run(), ['0003-c.sql'])
  })

  it('applies each file once when two processes migrate at the same time', async () => {
    await write({ '0001-a.sql': 'create table one (); select pg_sleep(0.2)', '0002-b.sql': 'create table two ()' })
    const applied = await Promise.all([run(), run()])
    assert.deepEqual(applied.flat().sort(), ['0001-a.sql', '0002-b.sql'])
  })

  it('rolls back a failing file, keeps the earlier ones and resumes from there', async () => {
    await write({ '0001-a.sql': 'create table one ()', '0002-b.sql': 'create table two (); select 1 / 0' })
    await assert.rejects(run(), /0002-b\.sql failed: division by zero\. It was rolled back\./)
    assert.deepEqual(await tables(), ['one'])
    await write({ '0002-b.sql': 'create table two ()' })
    assert.deepEqual(await run(), ['0002-b.sql'])
  })

  it('runs a marked file outside a transaction while other processes wait', async () => {
    await write({
      '0001-a.sql': 'create table one (a int)',
      '0002-b.sql': '-- no transaction\ncreate index concurrently if not exists one_a on one (a)',
    })
    const applied = await Promise.all([run(), run(), run()])
    assert.deepEqual(applied.flat().sort(), ['0001-a.sql', '0002-b.sql'])
  })

  it('treats different line endings as the same file', async () => {
    await write({ '0001-a.sql': 'create table one (\n)' })
    await run()
    await write({ '0001-a.sql': 'create table one (\r\n)' })
    assert.deepEqual(await run(), [])
  })

  const refusals: { what: string; files: Record<string, string>; remove?: string; says: RegExp }[] = [
    { what: 'a changed file', files: { '0001-a.sql': 'create table one (b int)' }, says: /0001-a\.sql was changed/ },
    {
      what: 'a database of a newer program',
      files: {},
      remove: '0002-b.sql',
      says: /0002-b\.sql.* Upgrade Stentor/,
    },
    { what: 'a missing file', files: {}, remove: '0001-a.sql', says: /0001-a\.sql was applied.* its file is missing/ },
    {
      what: 'a file before the last one',
      files: { '0000-x.sql': 'select 1' },
      says: /0000-x\.sql comes before 0002-b/,
    },
    { what: 'a number given twice', files: { '0002-x.sql': 'select 1' }, says: /Two migrations have the number 0002/ },
  ]
  for (const { what, files, remove, says } of refusals) {
    it(`refuses ${what} and changes nothing`, async () => {
      await write({ '0001-a.sql': 'create table one ()', '0002-b.sql': 'create table two ()' })
      await run()
      await write({ ...files, '0003-c.sql': 'create table three ()' })
      if (remove === '0002-b.sql') await rm(join(directory, '0003-c.sql'))
      if (remove) await rm(join(directory, remove))
      await assert.rejects(run(), says)
      assert.deepEqual(await tables(), ['one', 'two'])
    })
  }
})
