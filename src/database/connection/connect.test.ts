import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { cloneDatabase, type TestDatabase } from '#test/support/database/database.ts'
import { rowsRead } from '#test/support/database/rows-read.ts'
import { isDatabaseUnavailable } from '../errors.ts'
import { buildPreparedPrefix, type Db, inTransaction, openDatabasePool, toJsonbText } from './connect.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

async function value(expression: string): Promise<unknown> {
  const { rows } = await database.pool.query(`select ${expression} as value`)
  return rows[0].value
}

/** A statement that is sent is under way a moment later. */
async function untilActive(pid: number): Promise<void> {
  for (let isActive = false; !isActive; ) {
    const { rows } = await database.pool.query('select state from pg_stat_activity where pid = $1', [pid])
    isActive = rows[0]?.state === 'active'
  }
}

describe('value types read from PostgreSQL', () => {
  it('reads int8 as a number', async () => assert.equal(await value('9007199254740991::int8'), 9007199254740991))
  it('reads int8[] as numbers, including null', async () =>
    assert.deepEqual(await value(`'{1,NULL,-3}'::int8[]`), [1, null, -3]))
  it('refuses an int8 outside the safe integers', () =>
    assert.rejects(value('9007199254740992::int8'), /beyond the integers/))
  it('reads numeric as text', async () => assert.equal(await value('0.10::numeric'), '0.10'))
  it('reads date as text', async () => assert.equal(await value(`'2024-02-29'::date`), '2024-02-29'))
  it('reads timestamptz as a Date', async () =>
    assert.deepEqual(await value(`'2024-02-29T12:00:00.123+02'::timestamptz`), new Date('2024-02-29T10:00:00.123Z')))
  it('reads jsonb as the parsed value', async () => assert.deepEqual(await value(`'{"a":[1]}'::jsonb`), { a: [1] }))
})

describe('defaults of a database, a role or a server', () => {
  const others = {
    datestyle: 'SQL, DMY',
    intervalstyle: 'iso_8601',
    bytea_output: 'escape',
    extra_float_digits: '-3',
    timezone: 'Asia/Tokyo',
    standard_conforming_strings: 'off',
    array_nulls: 'off',
    transform_null_equals: 'on',
    default_transaction_isolation: 'serializable',
    lock_timeout: '1ms',
  }
  it('change nothing of what statements give', async () => {
    const name = new URL(database.url).pathname.slice(1)
    for (const [setting, other] of Object.entries(others))
      await database.pool.query(
        `alter database ${name} set ${setting} = ${setting === 'datestyle' ? other : `'${other}'`}`,
      )
    const { pool, close } = openDatabasePool(database.url)
    try {
      await pool.query('create table written (a int)')
      const { rows } =
        await pool.query(`select '2024-02-29T12:00:00.123+02'::timestamptz as moment, '2024-02-29'::date as day,
        '2024-02-03'::date::text as text, '\\x00ff'::bytea as bytes, 0.1::float8 as number, '{NULL}'::text[] as list,
        interval '90 minutes'::text as span, '\\' as slash, null = null as nothing, current_setting('transaction_isolation') as isolation`)
      assert.deepEqual(rows[0], {
        moment: new Date('2024-02-29T10:00:00.123Z'),
        day: '2024-02-29',
        text: '2024-02-03',
        bytes: Buffer.of(0, 255),
        number: 0.1,
        list: [null],
        span: '01:30:00',
        slash: '\\',
        nothing: null,
        isolation: 'read committed',
      })
    } finally {
      await close()
      for (const setting of Object.keys(others)) await database.pool.query(`alter database ${name} reset ${setting}`)
      await database.pool.query('drop table written')
    }
  })
})

describe('value types written to PostgreSQL', () => {
  it('writes an array to jsonb as its text', async () => {
    const { rows } = await sql<{ value: unknown }>`select ${toJsonbText([1, 'a'])}::jsonb as value`.execute(database.db)
    assert.deepEqual(rows, [{ value: [1, 'a'] }])
  })

  it('writes a date exactly in a time zone whose offset once had seconds', async () => {
    const { TZ: zone } = process.env
    process.env['TZ'] = 'America/St_Johns'
    try {
      const date = new Date('1900-06-01T00:00:00.000Z')
      const { rows } = await sql<{ value: Date }>`select ${date}::timestamptz as value`.execute(database.db)
      assert.deepEqual(rows, [{ value: date }])
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })
})

describe('prepared statements', () => {
  it('are planned once per connection and return the result each time', async () => {
    const { db, close } = openDatabasePool(database.url, { max: 1 })
    const twice = (n: number) =>
      sql<{ n: number }>`${buildPreparedPrefix('twice')} select 2 * ${n}::integer as n`.execute(db)
    assert.deepEqual([(await twice(1)).rows, (await twice(4)).rows], [[{ n: 2 }], [{ n: 8 }]])
    assert.deepEqual(
      await inTransaction(
        db,
        async (tx) =>
          (await sql<{ n: number }>`${buildPreparedPrefix('twice')} select 2 * ${5}::integer as n`.execute(tx)).rows,
      ),
      [{ n: 10 }],
    )
    const { rows } = await sql`select name from pg_prepared_statements`.execute(db)
    assert.deepEqual(rows, [{ name: 'twice' }])
    await close()
  })

  it('are planned again after a while, so a table that was empty at first is read by its index', async () => {
    const { db, close } = openDatabasePool(database.url, { max: 1, plansLastMs: 3000 })
    await sql`create table filling (id integer primary key)`.execute(db)
    await sql`vacuum filling`.execute(db)
    const found = (handle: Db = db) =>
      sql`${buildPreparedPrefix('found')} select from filling where id = ${1}::integer`.execute(handle)
    // Five times it is planned for what it is given, and then in general.
    for (let n = 0; n < 6; n++) await found()
    await sql`insert into filling select generate_series(1, 1000)`.execute(db)
    const readInOrder = async () => (await inTransaction(db, (tx) => rowsRead(tx, 'filling', () => found(tx)))).inOrder
    assert.equal(await readInOrder(), 1000)
    await delay(3000)
    assert.equal(await readInOrder(), 0)
    await close()
  })

  it('refuse a second text under the same name', async () => {
    const { db, close } = openDatabasePool(database.url, { max: 1 })
    await sql`${buildPreparedPrefix('one')} select 1`.execute(db)
    await assert.rejects(sql`${buildPreparedPrefix('one')} select 2`.execute(db), /must be unique/)
    await close()
  })
})

describe('inTransaction', () => {
  it('rolls back when its callback throws', async () => {
    const work = inTransaction(database.db, async (tx) => {
      await tx.insertInto('accounts').values({ agency: 'ROLL', customer: '001', name: 'x' }).execute()
      throw new Error('stop')
    })
    await assert.rejects(work, /stop/)
    assert.deepEqual(await database.db.selectFrom('accounts').selectAll().execute(), [])
  })

  it('joins the transaction passed to it', async () => {
    const same = await inTransaction(database.db, (tx) => inTransaction(tx, async (inner) => inner === tx))
    assert.equal(same, true)
  })
})

describe('database connection', () => {
  it('fails its query and reports the error when it breaks, and the next query uses a new one', async () => {
    const reports: Error[] = []
    const { pool, close } = openDatabasePool(database.url, { log: (error) => reports.push(error) })
    const client = await pool.connect()
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const sleeping = assert.rejects(client.query('select pg_sleep(60)'), isDatabaseUnavailable)
    await untilActive(rows[0].pid)
    await database.pool.query('select pg_terminate_backend($1, 5000)', [rows[0].pid])
    await sleeping
    await ended
    client.release()
    assert.equal((await pool.query('select 1 as one')).rows[0].one, 1)
    assert.equal(reports.length, 1)
    await close()
  })

  it('cancels a statement after its timeout', async () => {
    const { pool, close } = openDatabasePool(database.url, { statementTimeoutMs: 50 })
    await assert.rejects(pool.query('select pg_sleep(60)'), { code: '57014' })
    await close()
  })

  it('reports a failure to connect as unavailable', async () => {
    const { pool, close } = openDatabasePool('postgres://user:x@127.0.0.1:1/none')
    await assert.rejects(pool.query('select 1'), isDatabaseUnavailable)
    await close()
  })

  it('can be closed twice', async () => {
    const { pool, close } = openDatabasePool(database.url)
    await pool.query('select 1')
    await Promise.all([close(), close()])
    await assert.rejects(pool.query('select 1'), isDatabaseUnavailable)
  })
})
