declare module 'pg-cursor' {
  import type { Connection } from 'pg'

  export default class Cursor<Row> {
    /** Null until the query was handed to a connection. */
    connection: (Connection & { stream: { destroyed: boolean } }) | null
    constructor(text: string, values?: unknown[])
    read(rows: number): Promise<Row[]>
    close(): Promise<void>
  }
}
