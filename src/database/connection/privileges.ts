import { OperatorError } from '../../lib/errors/operator-error.ts'
import type { DatabasePool } from './connect.ts'

/** The privileges of an account in its database, and the owners of objects that exist already. */
interface DatabasePrivileges {
  account: string
  database: string
  schema: string
  mayCreateSchemas: boolean
  mayCreateTables: boolean
  mayCreateTemporary: boolean
  /** The queue has its tables. */
  hasQueue: boolean
  /** Another account that owns tables of the program and whose rights this account does not have. */
  owner: string | null
}

const PRIVILEGES_QUERY = `
  select current_user as account, current_database() as database, current_schema() as schema,
    has_database_privilege(current_database(), 'create') as "mayCreateSchemas",
    has_database_privilege(current_database(), 'temporary') as "mayCreateTemporary",
    has_schema_privilege(current_schema(), 'usage') and has_schema_privilege(current_schema(), 'create') as "mayCreateTables",
    exists (
      select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relname = 'migrations'
    ) as "hasQueue",
    (
      select c.relowner::regrole::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relname = 'migrations' and n.nspname in (current_schema(), $1)
        and not pg_has_role(c.relowner, 'usage')
      limit 1
    ) as owner`

function quoteIdentifier(name: string): string {
  return /^[a-z_][a-z0-9_$]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}

/** The statements that give an account what it lacks; none where it has all. */
function buildGrants(privileges: DatabasePrivileges): string[] {
  const { mayCreateSchemas, mayCreateTables, mayCreateTemporary, hasQueue, owner } = privileges
  const [account, database] = [quoteIdentifier(privileges.account), quoteIdentifier(privileges.database)]
  const onDatabase = [...(mayCreateSchemas || hasQueue ? [] : ['create']), ...(mayCreateTemporary ? [] : ['temporary'])]
  return [
    ...(onDatabase.length === 0 ? [] : [`grant ${onDatabase.join(', ')} on database ${database} to ${account};`]),
    ...(mayCreateTables ? [] : [`grant usage, create on schema ${quoteIdentifier(privileges.schema)} to ${account};`]),
    // Written as a role, so quoted where need be.
    ...(owner === null ? [] : [`grant ${owner} to ${account};`]),
  ]
}

/**
 * Throws an OperatorError with the statements that the owner of the database must run when the account of the program may not make
 * tables, temporary tables or the schema of its queue, or when another account made them.
 */
export async function requireDatabasePrivileges(pool: DatabasePool, queueSchema: string): Promise<void> {
  const { rows } = await pool.query<DatabasePrivileges>(PRIVILEGES_QUERY, [queueSchema])
  const grants = buildGrants(rows[0]!)
  if (grants.length === 0) return
  throw new OperatorError(
    `The account ${rows[0]!.account} lacks privileges in the database ${rows[0]!.database}. As its owner, run ${grants.join(' ')}`,
  )
}
