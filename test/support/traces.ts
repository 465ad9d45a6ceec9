import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../src/database/connection/connect.ts'

/** A text as it can stand in a row or a file: as it is, for a URL, quoted-printable, hexadecimal, base64. */
function formsOf(text: string): { insensitive: string[]; exact: string[] } {
  const bytes = Buffer.from(text)
  const printable = [...bytes].map((byte) =>
    byte > 32 && byte < 127 && byte !== 61 ? String.fromCharCode(byte) : hexOf(byte),
  )
  // Base64 looks otherwise at each of three places; what stands at its ends depends on the ports.
  const base64 = [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    return whole.slice(offset === 0 ? 0 : offset + 1, -2)
  })
  const insensitive = [
    text,
    encodeURIComponent(text),
    printable.join(''),
    JSON.stringify(text).slice(1, -1),
    bytes.toString('hex'),
  ]
  return { insensitive, exact: base64.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]) }
}

function hexOf(byte: number): string {
  return `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

/** Which of the texts a content holds, in whatever form and case. */
export function held(content: string, texts: readonly string[]): string[] {
  const folded = content.toLowerCase()
  return texts.filter((text) => {
    const { insensitive, exact } = formsOf(text)
    return (
      insensitive.some((form) => folded.includes(form.toLowerCase())) || exact.some((form) => content.includes(form))
    )
  })
}

/** Every table with rows of its own, as `schema.table`, and whether rows have an account. */
async function tablesOf(db: Db): Promise<{ name: RawBuilder<unknown>; label: string; has_account: boolean }[]> {
  const { rows } = await sql<{ schema: string; table: string; has_account: boolean }>`
    select n.nspname as schema, c.relname as table,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account') as has_account
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
    order by 1, 2`.execute(db)
  return rows.map(({ schema, table, has_account }) => ({
    name: sql`${sql.id(schema, table)}`,
    label: `${schema}.${table}`,
    has_account,
  }))
}

/** What octets hold when they are compressed, and what their names and texts hold in any case. */
function readable(bytes: Buffer): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  return (isGzip ? gunzipSync(bytes) : bytes).toString('utf8')
}

async function filesOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Where any of the texts stands: in rows of any table, those of one account left out, and in files of a directory. */
export async function findTraces(
  { db, dataDir, except }: { db: Db; dataDir: string; except: number },
  texts: readonly string[],
): Promise<string[]> {
  const found: string[] = []
  for (const { name, label, has_account } of await tablesOf(db)) {
    const own = has_account ? sql`where t.account is distinct from ${except}` : sql``
    const { rows } = await sql<{ row: string }>`select t::text as row from ${name} t ${own}`.execute(db)
    for (const { row } of rows)
      for (const text of held(row, texts)) found.push(`${label}: ${text} in ${row.slice(0, 2000)}`)
  }
  for (const file of await filesOf(dataDir)) {
    const content = `${relative(dataDir, file)}\n${readable(await readFile(file))}`
    for (const text of held(content, texts)) found.push(`${relative(dataDir, file)}: ${text}`)
  }
  return found
}
