import { createRequire } from 'node:module'
import { join } from 'node:path'

/** What the library tells of a statement. */
export interface Ran {
  bytes: Buffer
  rowsRead: number
  bytesRead: number
  elapsed: number
}

/** Of what the library exports, the three functions that are used. */
interface Library {
  CreateConnection(directory: string, options: string[]): unknown
  CloseConnection(connection: unknown): void
  QueryAsyncConnection(connection: unknown, sql: string, format: string): Promise<Ran>
}

export interface Database {
  version: string
  /** Runs the statements of `before` and then `sql`, all on one connection that nothing else uses. */
  run(before: readonly string[], sql: string, format: string): Promise<Ran>
}

/**
 * Opens a data directory: ClickHouse lives in this process from here on. Each statement gets a connection of its own, as settings, the
 * database in use and, after an error, the rest of an answer would else stay for the next one; a connection takes 0.3 ms.
 */
export async function openDatabase(installed: string, directory: string): Promise<Database> {
  // The functions under the package's own interface: that one waits with closing a connection for the queries of all others.
  const loader = join(installed, 'node_modules/chdb/dist/loader.js')
  const library = (createRequire(loader)(loader) as { loadNative(): Library }).loadNative()
  // It closes when its last connection does, so this one stays.
  library.CreateConnection(directory, [])
  const run: Database['run'] = async (before, sql, format) => {
    const connection = library.CreateConnection(directory, [])
    try {
      for (const statement of before) await library.QueryAsyncConnection(connection, statement, format)
      return await library.QueryAsyncConnection(connection, sql, format)
    } finally {
      library.CloseConnection(connection)
    }
  }
  const { bytes } = await run([], 'select version()', 'TabSeparatedRaw')
  return { version: Buffer.from(bytes).toString().trim(), run }
}
