import { openDatabasePool } from '../src/database/connection/connect.ts'

/** A subscription as its row has it. */
export interface BareSubscription {
  id: string
  token: string
  digest: string
}

/** The baseline of `devices`, in a process of its own: a bare `insert ... on conflict` per row, on so many connections. */
const [url = '', account = '', application = '', connections = ''] = process.argv.slice(2)
const { pool } = openDatabasePool(url, { max: Number(connections) })

const UPSERT = `
  insert into subscriptions (account, id, application, provider, token, token_digest, created_at)
  values ($1, $2, $3, 'firebase', $4, decode($5, 'hex'), now()) on conflict (account, id)
  do update set token = excluded.token, token_digest = excluded.token_digest, updated_at = now()`

async function write(rows: readonly BareSubscription[]): Promise<number> {
  const queue = rows.values()
  async function connection(): Promise<void> {
    for (const { id, token, digest } of queue)
      await pool.query({ name: 'upsert', text: UPSERT, values: [account, id, application, token, digest] })
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: Number(connections) }, connection))
  return performance.now() - started
}

process.on('message', (rows: readonly BareSubscription[]) => {
  write(rows).then((milliseconds) => process.send?.({ milliseconds }))
})
process.on('disconnect', () => process.exit())
