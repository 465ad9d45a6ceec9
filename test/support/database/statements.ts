import type { Pool, PoolClient } from 'pg'

/** A statement that was sent, with the values that were bound. */
export interface Statement {
  text: string
  values: readonly unknown[]
}

/** The statements that some work sends through a pool. */
export async function statementsOf(pool: Pool, work: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = []
  const watched = new Map<PoolClient, PoolClient['query']>()
  const watch = (client: PoolClient): void => {
    if (watched.has(client)) return
    const { query } = client
    watched.set(client, query)
    client.query = ((...given: unknown[]) => {
      const [what] = given as [{ text?: string; values?: unknown[] } | string]
      const { text = '', values = [] } = typeof what === 'string' ? { text: what } : what
      sent.push({ text, values })
      return (query as (...given: unknown[]) => unknown).apply(client, given)
    }) as PoolClient['query']
  }
  pool.on('acquire', watch)
  try {
    await work()
    return sent
  } finally {
    pool.off('acquire', watch)
    for (const [client, query] of watched) client.query = query
  }
}
