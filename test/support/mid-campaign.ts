import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync, zstdCompressSync } from 'node:zlib'
import pino from 'pino'
import type { Pool } from '../../src/database/connect.ts'
import { type Dump, loadDatabase } from '../../src/database/copy.ts'
import { migrate } from '../../src/database/migrate.ts'
import { installQueue } from '../../src/jobs/runner.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/** What is known of the service that was killed; see fixtures/mid-campaign/README.md. */
export interface Facts {
  takenAt: string
  /** Ids of actions by their name, which is the subject of their messages. */
  actions: Record<string, string>
  /** What GET /actions/:id answered just before. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer.
  monitors: Record<string, any>
  /** `SUBJECT ADDRESS` of each message that the mail server had taken. */
  arrived: string[]
  sms: { to: string; text: string }[]
  /** Paths of the links in letters sent before. */
  letters: { action: string; to: string; paths: string[] }[]
  /** Hits answered while the database was away: in the spool. */
  hits: { path: string; agent: string }[]
}

interface Fixture {
  facts: Facts
  dump: Dump
  /** Rows in the text format of COPY, by file of the dump; empty tables have none. */
  tables: Record<string, string>
  /** Of the data directory. */
  files: Record<string, string>
}

/** Every instant of the dump is moved to where it would be had the service been killed a moment ago. */
const SHIFT = `do $$ declare
  c record;
begin
  for c in
    select format('%I.%I', n.nspname, t.relname) as of, string_agg(format(
      '%1$I = case when %1$I < ''9000-01-01'' then %1$I + (now() - ''TAKEN'') else %1$I end', a.attname), ', ') as moved
    from pg_class t join pg_namespace n on n.oid = t.relnamespace join pg_attribute a on a.attrelid = t.oid
    where n.nspname = 'public' and t.relkind in ('r', 'p') and not t.relispartition and t.relname <> 'migrations'
      and a.atttypid = 'timestamptz'::regtype and a.attgenerated = '' and not a.attisdropped and a.attnum > 0
    group by 1
  loop
    execute format('alter table %s disable trigger user', c.of);
    execute format('update %s set %s', c.of, c.moved);
    execute format('alter table %s enable trigger user', c.of);
  end loop;
  -- A test is closed when it takes too long from its start.
  update actions set last_validation = jsonb_set(last_validation, '{startedAt}',
    to_jsonb((last_validation ->> 'startedAt')::timestamptz + (now() - 'TAKEN')))
  where last_validation is not null;
end $$`

/** Puts the database, on its old schema, and the files in place of what there is. */
export async function restoreFixture(pool: Pool, dataDir: string): Promise<Facts> {
  const file = new URL('../fixtures/mid-campaign/fixture.json.gz', import.meta.url)
  const { facts, dump, tables, files } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Fixture
  const directory = await mkdtemp(join(tmpdir(), 'mid-campaign-'))
  for (const { file } of dump.tables) await writeFile(join(directory, file), zstdCompressSync(tables[file] ?? ''))
  await pool.query('drop schema public cascade; drop schema if exists graphile_worker cascade; create schema public')
  await migrate(pool, { directory: MIGRATIONS, log: () => undefined, until: dump.migrations.at(-1)! })
  await installQueue(pool, pino({ level: 'silent' }))
  await pool.query(`select make_event_partitions(now() - interval '1 month', 3)`)
  await loadDatabase(pool, dump, directory)
  await pool.query(SHIFT.replaceAll('TAKEN', facts.takenAt))
  await rm(directory, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    const path = join(dataDir, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    // A spool is taken over when no process has written to it for a while.
    await utimes(path, 0, 0)
  }
  return facts
}
