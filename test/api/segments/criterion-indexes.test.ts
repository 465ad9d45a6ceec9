import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { buildCriterionIndexes } from '../../../src/features/segments/criteria/criterion-indexes.ts'
import { startHarness } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

/** More than that of which criteria are indexed. */
const CONTACTS = 30_000

const { call, context, own } = await startHarness()
const { db, pool } = context

/** The valid indexes of criteria and lists. */
async function indexes(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'contacts'::regclass and i.indisvalid and (c.relname like 'criterion%' or c.relname like 'listed%')
    order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** The indexes that were begun and are of no use. */
async function leftovers(): Promise<number> {
  const { rows } = await sql`
    select from pg_index where indrelid = 'contacts'::regclass and not indisvalid`.execute(db)
  return rows.length
}

/** Whether a statement of another connection that begins so has waited so long for a lock. */
async function isWaiting(start: string, milliseconds = 0): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity a join pg_locks l using (pid)
    where starts_with(a.query, ${start}) and l.waitstart <= clock_timestamp() - make_interval(secs => ${milliseconds / 1000}::float8)`.execute(
    db,
  )
  return rows.length > 0
}

async function deadlocks(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select deadlocks as n from pg_stat_database where datname = current_database()`.execute(db)
  return rows[0]?.n ?? 0
}

suite('criterion indexes', async () => {
  const { body: city } = await call('POST', '/fields', { body: { type: 'textField', name: 'City' } })
  const [email] = (await call('GET', '/fields')).body
  const wanted = [
    ...[email.id, city.id].flatMap((id) => [`criterion_${id}_text`, `listed_${id}_text`]),
    `listed_${email.id}_part`,
  ].toSorted()
  await sql`
    insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
    select ${own.account}, jsonb_build_object(${String(email.id)}::text, 'p' || n || '@places.example', ${String(city.id)}::text, 'City ' || n % 50),
      'p' || n || '@places.example', 'p' || n || '@places.example', decode(md5('p' || n || '@places.example'), 'hex'), now(), now()
    from generate_series(1, ${CONTACTS}::integer) n`.execute(db)

  test('are built even if the build runs into a deadlock with ANALYZE', async () => {
    // The building waits for a writer first, then for whoever has an older snapshot than its own.
    const writer = await pool.connect()
    const other = await pool.connect()
    const before = await deadlocks()
    try {
      await writer.query('begin; update contacts set updated_at = updated_at where id = (select min(id) from contacts)')
      const building = buildCriterionIndexes(context)
      building.catch(() => undefined)
      await eventually(() => isWaiting('create index concurrently'))
      const analyzing = other.query('/* beside */ analyze contacts')
      analyzing.catch(() => undefined)
      // It looks for a deadlock once, after a second: now that there is none yet.
      await eventually(() => isWaiting('/* beside */', 1500))
      await writer.query('commit')
      await building
      await analyzing
    } finally {
      writer.release(true)
      other.release(true)
    }
    assert.deepEqual([await indexes(), await leftovers()], [wanted, 0])
    assert.ok(await eventually(async () => (await deadlocks()) > before))
  })

  test('have no statistics of their own, since the planner reads separate ones on the values', async () => {
    await sql`analyze contacts`.execute(db)
    const { rows: own } = await sql`
      select from pg_stats where tablename like 'criterion%' or tablename like 'listed%'`.execute(db)
    assert.equal(own.length, 0)
    const { rows } = await sql<{ name: string }>`
      select statistics_name as name from pg_stats_ext_exprs where tablename = 'contacts' order by 1`.execute(db)
    assert.deepEqual(
      rows.map(({ name }) => name),
      wanted,
    )
  })
})
