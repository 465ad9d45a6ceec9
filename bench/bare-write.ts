import { openDatabasePool } from '../src/database/connection/connect.ts'

/** A contact as its row has it. */
export interface StoredRow {
  fields: string
  unicity: string
  key: string
}

/** What the baseline of `contacts` is given: insert these rows, or update those whose key is there. */
export interface BareWrite {
  update: boolean
  rows: readonly StoredRow[]
}

/** The baseline of `contacts`, in a process of its own: a bare `insert ... on conflict` per row, on so many connections. */
const [url = '', account = '', connections = ''] = process.argv.slice(2)
const { pool } = openDatabasePool(url, { max: Number(connections) })

const INSERT = `
  insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
  values ($1, $2, $3, $4, decode(md5($3), 'hex'), now(), now()) on conflict (account, key)`
const statements = {
  create: { name: 'create', text: `${INSERT} do nothing returning id` },
  upsert: {
    name: 'upsert',
    text: `${INSERT} do update set fields = excluded.fields, updated_at = excluded.updated_at returning id`,
  },
}

async function write({ update, rows }: BareWrite): Promise<number> {
  const queue = rows.values()
  const statement = update ? statements.upsert : statements.create
  async function connection(): Promise<void> {
    for (const { fields, unicity, key } of queue) {
      await pool.query({ ...statement, values: [account, fields, unicity, key] })
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: Number(connections) }, connection))
  return performance.now() - started
}

process.on('message', (work: BareWrite) => {
  write(work).then((milliseconds) => process.send?.({ milliseconds }))
})
process.on('disconnect', () => process.exit())
