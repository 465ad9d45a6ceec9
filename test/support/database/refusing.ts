import type { Pool } from 'pg'

/** Has the database refuse whatever is inserted into a table, with a SQLSTATE of the test's choice; gives how to end that. */
export async function refuseInserts(pool: Pool, table: string, code: string): Promise<() => Promise<void>> {
  await pool.query(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused by the test' using errcode = '${code}'; end $$;
    create trigger refuse before insert on ${table} for each statement execute function refuse()`)
  return async () => void (await pool.query('drop function refuse cascade'))
}

/** The address of a database by which connections can write though it is made read-only: for those of the test itself. */
export function immune(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', '-c default_transaction_read_only=off -c timezone=UTC')
  return url.href
}

/** Makes a database read-only as its owner does; the service has to connect again. `pool` must be of an immune address. */
export async function makeReadOnly(pool: Pool): Promise<void> {
  await pool.query(`do $$ begin
    execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`)
  await pool.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'stentor%'`)
}

/** Ends that. Connections that were opened meanwhile stay read-only, as PostgreSQL has it. */
export async function makeWritable(pool: Pool): Promise<void> {
  await pool.query(`do $$ begin
    execute format('alter database %I reset default_transaction_read_only', current_database()); end $$`)
}
