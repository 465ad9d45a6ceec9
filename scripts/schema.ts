/**
 * Writes what the migrations amount to: `migrations/schema.sql`, to be read, and `src/database/tables.ts`, the types of
 * the rows. With `--check` it writes nothing and fails when either file is out of date.
 */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type DatabasePool, openDatabasePool } from '../src/database/connection/connect.ts'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '../src/database/embedded.ts'
import { migrateDatabase } from '../src/database/migrate.ts'

interface Column {
  table: string
  name: string
  type: string
  /** The name of the type in the catalog; of its elements for an array. */
  base: string
  isArray: boolean
  isNullable: boolean
  isIdentity: boolean
  /** Computed from the columns beside it by `expression`, which is its default otherwise. */
  isComputed: boolean
  expression: string | null
}

interface Definition {
  table: string
  name: string
  definition: string
}

interface Catalog {
  tables: { name: string; partitioned: string | null }[]
  columns: Column[]
  constraints: (Definition & { kind: string; column: string | null })[]
  indexes: Definition[]
  functions: Definition[]
  triggers: Definition[]
}

/** Tables of the schema in the order they were made; partitions and the table of the migrations are left out. */
const TABLES = `select c.oid, c.relname as name,
    case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end as partitioned
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and not c.relispartition and c.relname <> 'migrations'`

const queries: Record<keyof Catalog, string> = {
  tables: `select name, partitioned from (${TABLES}) t order by oid`,
  columns: `select t.name as table, a.attname as name, format_type(a.atttypid, a.atttypmod) ||
      case when a.attcollation <> 0 and a.attcollation <> y.typcollation
        then format(' collate %I', l.collname) else '' end as type,
      coalesce(e.typname, y.typname) as base, e.oid is not null as "isArray", not a.attnotnull as "isNullable",
      a.attidentity <> '' as "isIdentity", a.attgenerated <> '' as "isComputed", pg_get_expr(d.adbin, d.adrelid, true) as expression
    from (${TABLES}) t
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    join pg_type y on y.oid = a.atttypid
    left join pg_type e on e.oid = y.typelem and y.typcategory = 'A'
    left join pg_collation l on l.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    order by t.oid, a.attnum`,
  constraints: `select t.name as table, k.conname as name, k.contype as kind, pg_get_constraintdef(k.oid, true) as definition,
      case when cardinality(k.conkey) = 1
        then (select attname from pg_attribute where attrelid = t.oid and attnum = k.conkey[1]) end as column
    from (${TABLES}) t join pg_constraint k on k.conrelid = t.oid
    where k.contype in ('p', 'u', 'f', 'c', 'x')
    order by t.oid, array_position('{p,u,f,c,x}', k.contype::text), k.conname`,
  indexes: `select t.name as table, i.relname as name, replace(pg_get_indexdef(i.oid, 0, true), ' ON ONLY ', ' ON ') as definition
    from (${TABLES}) t join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid
    where not exists (select from pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u', 'x'))
    order by t.oid, i.relname`,
  functions: `select '' as table, p.proname as name, pg_get_functiondef(p.oid) as definition
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
    order by p.proname, pg_get_function_identity_arguments(p.oid)`,
  triggers: `select t.name as table, g.tgname as name, pg_get_triggerdef(g.oid, true) as definition
    from (${TABLES}) t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
    order by t.oid, g.tgname`,
}

async function readCatalog(pool: DatabasePool): Promise<Catalog> {
  const entries = Object.entries(queries)
  const results = await Promise.all(entries.map(([, query]) => pool.query(query)))
  return Object.fromEntries(entries.map(([part], index) => [part, results[index]?.rows])) as unknown as Catalog
}

function of<T extends { table: string }>(rows: T[], table: string): T[] {
  return rows.filter((row) => row.table === table)
}

function schemaSql(catalog: Catalog): string {
  const tables = catalog.tables.map(({ name, partitioned }) => {
    const columns = of(catalog.columns, name).map(columnSql)
    const constraints = of(catalog.constraints, name).map((k) => `  constraint ${k.name} ${k.definition}`)
    const tail = partitioned === null ? '' : ` partition by ${partitioned}`
    const lines = [`create table ${name} (`, `${[...columns, ...constraints].join(',\n')}\n)${tail};`]
    return [...lines, ...of(catalog.indexes, name).map(({ definition }) => `${definition};`)].join('\n')
  })
  const functions = catalog.functions.map(({ definition }) => `${definition.trim()};`)
  const triggers = catalog.triggers.map(({ definition }) => `${definition};`).join('\n')
  const head =
    '-- The schema at the head of the migrations. Generated by scripts/schema.ts; change a migration instead.'
  return `${[head, ...tables, ...functions, triggers].join('\n\n')}\n`
}

function columnSql({ name, type, isNullable, isIdentity, isComputed, expression }: Column): string {
  const words = [`  ${name}`, type]
  if (!isNullable) words.push('not null')
  if (isIdentity) words.push('generated always as identity')
  else if (isComputed) words.push(`generated always as (${expression}) stored`)
  else if (expression !== null) words.push(`default ${expression}`)
  return words.join(' ')
}

/** Types of the catalog as src/database/connection/connect.ts reads them; whatever is not listed is a string. */
const types: Record<string, string> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  bool: 'boolean',
  bytea: 'Buffer',
  timestamptz: 'Timestamp',
  json: 'Json',
  jsonb: 'Json',
}

const TYPES_HEAD = `// Generated by scripts/schema.ts from the migrations: change a migration instead.
import type { ColumnType, GeneratedAlways } from 'kysely'

/** A column with a default: it may be left out of an insert. */
export type Generated<T> =
  T extends ColumnType<infer Select, infer Insert, infer Update>
    ? ColumnType<Select, Insert | undefined, Update>
    : ColumnType<T, T | undefined, T>

/** Written as a Date or ISO 8601 text with its offset. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>

/** Read as the parsed value; written as its text: \`json(value)\` of connect.ts. */
export type Json = ColumnType<unknown, string, string>
`

function tablesTs(catalog: Catalog): string {
  const interfaces = catalog.tables.map(({ name }) => {
    const columns = of(catalog.columns, name).map((column) => `  ${column.name}: ${columnType(column, catalog)}\n`)
    return `export interface ${interfaceName(name)} {\n${columns.join('')}}\n`
  })
  const names = catalog.tables.map(({ name }) => `  ${name}: ${interfaceName(name)}\n`).sort()
  return [TYPES_HEAD, ...interfaces, `export interface DB {\n${names.join('')}}\n`].join('\n')
}

/** `api_keys` becomes `ApiKeysTable`: the plain word belongs to the feature. */
function interfaceName(table: string): string {
  return `${table.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}Table`
}

function columnType(column: Column, catalog: Catalog): string {
  const literals = of(catalog.constraints, column.table)
    .filter(({ kind, column: only }) => kind === 'c' && only === column.name)
    .map(({ definition }) => literalsOf(definition))
    .find((union) => union !== undefined)
  const single = literals ?? types[column.base] ?? 'string'
  const whole = column.isArray ? `${single}[]` : single
  const nullable = column.isNullable ? `${whole} | null` : whole
  if (column.isIdentity || column.isComputed) return `GeneratedAlways<${nullable}>`
  return column.expression === null ? nullable : `Generated<${nullable}>`
}

/** The union of `check (x in (...))`, which the catalog writes as = ANY of an array of texts or numbers. */
function literalsOf(definition: string): string | undefined {
  const list = /^CHECK \(\w+ = ANY \(ARRAY\[([^\]]*)\]\)\)$/.exec(definition)?.[1]
  if (list === undefined) return undefined
  const literals = list.split(', ').map((literal) => /^(?:'(\w+)'::text|(\d+))$/.exec(literal))
  if (literals.includes(null)) return undefined
  return literals.map((match) => (match?.[1] === undefined ? match?.[2] : `'${match[1]}'`)).join(' | ')
}

async function generate(root: string): Promise<Map<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), 'stentor-schema-'))
  try {
    const server = await startEmbeddedPostgres({ directory, log: () => undefined, settings: { fsync: 'off' } })
    const { pool, close } = openDatabasePool(server.url)
    try {
      await migrateDatabase(pool, { directory: join(root, 'migrations'), log: () => undefined })
      const catalog = await readCatalog(pool)
      return new Map([
        ['migrations/schema.sql', schemaSql(catalog)],
        ['src/database/tables.ts', tablesTs(catalog)],
      ])
    } finally {
      await close()
      await server.stop()
    }
  } finally {
    await removeEmbeddedPostgres(directory)
  }
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const root = join(import.meta.dirname, '..')
for (const [file, text] of await generate(root)) {
  const path = join(root, file)
  const isCurrent = (await readFile(path, 'utf8').catch(() => undefined)) === text
  if (isCurrent) continue
  if (values.check) {
    console.error(`${file} is out of date: run "node scripts/schema.ts".`)
    process.exitCode = 1
  } else {
    await writeFile(path, text)
    console.log(`wrote ${file}`)
  }
}
