import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../database/connection/connect.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import { HOUR_MS } from '../../lib/time/spans.ts'
import type { LoggedRequest } from './api-log-schemas.ts'

/** Maximum delay before other processes show the requests of this one. */
const FLUSH_INTERVAL_MS = 1000
/** Requests of one flush: of more the oldest are left out, so that a busy process does not pay for the log. */
const MAX_BUFFERED_REQUESTS = 1000

/** A request that was answered. */
export interface AnsweredRequest extends Omit<LoggedRequest, 'id' | 'date'> {
  account: AccountId
  at: Date
}

/** Collects what one process answers; all processes of an installation write to one table. */
export interface ApiRequestLog {
  note(answered: AnsweredRequest): void
  /** Writes what waits. */
  flush(): Promise<void>
  /** Writes every second from now on. */
  start(): void
  stop(): Promise<void>
}

async function insertRequests(db: Db, answered: readonly AnsweredRequest[]): Promise<void> {
  const column = <T>(member: (answeredRequest: AnsweredRequest) => T): T[] => answered.map(member)
  await sql`
    insert into request_log (account, at, method, path, status, duration_ms, request, actor_type, actor_id, actor_name)
    select * from unnest(${column(({ account }) => account)}::integer[], ${column(({ at }) => at)}::timestamptz[],
      ${column(({ method }) => method)}::text[], ${column(({ path }) => path)}::text[], ${column(({ status }) => status)}::smallint[],
      ${column(({ durationMs }) => durationMs)}::integer[], ${column(({ request }) => request)}::text[],
      ${column(({ by }) => by.type)}::text[], ${column(({ by }) => by.id)}::text[], ${column(({ by }) => by.name)}::text[])`.execute(
    db,
  )
}

/** Opens the log of a process. It costs an answer nothing: what cannot be written is left out. */
export function openApiRequestLog(db: Db, log: Logger): ApiRequestLog {
  let pendingRequests: AnsweredRequest[] = []
  let flushTimer: NodeJS.Timeout | undefined
  async function flush(): Promise<void> {
    if (pendingRequests.length === 0) return
    const batch = pendingRequests
    pendingRequests = []
    await insertRequests(db, batch).catch((error) => log.debug({ err: error }, 'request log failed'))
  }
  return {
    note(answered) {
      if (pendingRequests.length >= MAX_BUFFERED_REQUESTS) pendingRequests.shift()
      pendingRequests.push(answered)
    },
    flush,
    start() {
      flushTimer ??= setInterval(flush, FLUSH_INTERVAL_MS).unref()
    },
    async stop() {
      if (flushTimer === undefined) return
      clearInterval(flushTimer)
      await flush()
    },
  }
}

/** Filter of listed requests: by key and by status codes. */
export interface LoggedRequestFilter {
  key: number | undefined
  /** Codes, each from and to. */
  statuses: readonly (readonly [from: number, to: number])[] | undefined
}

interface LoggedRequestRow extends Omit<LoggedRequest, 'date' | 'by'> {
  at: Date
  type: 'key' | 'person'
  by: string
  name: string
}

/** The requests of an account in the last hour, newest first: those before the page's key, at most its limit. */
export async function* listLoggedRequests(
  db: Db,
  { account, now }: { account: AccountId; now: number },
  { key, statuses }: LoggedRequestFilter,
  { after, limit }: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<LoggedRequest> {
  const statusBounds = (place: 0 | 1) => statuses?.map((range) => range[place]) ?? null
  const query = sql<LoggedRequestRow>`
    select id, at, method, path, status, duration_ms as "durationMs", request, actor_type as type, actor_id as by,
      actor_name as name
    from request_log
    where account = ${account} and at > ${new Date(now - HOUR_MS)} and (${after ?? null}::bigint is null or id < ${after ?? null})
      and (${key ?? null}::integer is null or (actor_type = 'key' and actor_id = ${key ?? null}::integer::text))
      and (${statusBounds(0)}::integer[] is null or exists (
        select from unnest(${statusBounds(0)}::integer[], ${statusBounds(1)}::integer[]) r (first, last) where status between first and last))
    order by id desc limit ${limit ?? null}::integer`
  for await (const { id, at, method, path, status, durationMs, request, type, by, name } of streamRows(db, query)) {
    yield { id, date: at.toISOString(), method, path, status, durationMs, request, by: { type, id: by, name } }
  }
}
