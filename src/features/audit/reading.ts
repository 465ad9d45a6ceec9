import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId, Actor } from '../../lib/account.ts'
import type { TimePeriod } from '../../lib/time/period.ts'
import type { AuditRow } from './audit-schemas.ts'

/** Selects the rows to read; undefined members select everything. */
export interface AuditFilter extends TimePeriod {
  /** Undefined: those of the whole installation. */
  account: AccountId | undefined
  who: { type: string; id: string | undefined } | undefined
  operation: string | undefined
  object: { type: string; id: string | undefined } | undefined
}

interface StoredAuditRow {
  id: number
  at: Date
  code: string | null
  actor_type: Actor['type']
  actor_id: string | null
  actor_name: string | null
  address: string | null
  request: string | null
  operation: string
  object_type: string | null
  object_id: string | null
  object_name: string | null
  changes: AuditRow['changes']
  omitted: number
  outcome: AuditRow['outcome']
  problem: string | null
}

/** `person:…` or `segment:41` in its two parts. */
export function parseAuditReference(text: string | undefined): { type: string; id: string | undefined } | undefined {
  if (text === undefined || text === '') return undefined
  const separator = text.indexOf(':')
  return separator < 0
    ? { type: text, id: undefined }
    : { type: text.slice(0, separator), id: text.slice(separator + 1) }
}

function buildConditions({ account, start, end, who: actorId, operation, object }: AuditFilter): RawBuilder<unknown>[] {
  return [
    ...(account === undefined ? [] : [sql`a.account = ${account}`]),
    ...(start === undefined ? [] : [sql`a.at >= ${new Date(start)}`]),
    ...(end === undefined ? [] : [sql`a.at < ${new Date(end)}`]),
    ...(actorId ? [sql`a.actor_type = ${actorId.type}`] : []),
    ...(actorId?.id === undefined ? [] : [sql`a.actor_id = ${actorId.id}`]),
    ...(object ? [sql`a.object_type = ${object.type}`] : []),
    ...(object?.id === undefined ? [] : [sql`a.object_id = ${object.id}`]),
    ...(operation
      ? [
          sql`(a.operation = ${operation} or split_part(a.operation, ' ', 1) = ${operation}
            or split_part(a.operation, ' ', 2) = ${operation})`,
        ]
      : []),
  ]
}

function toAuditRow(row: StoredAuditRow): AuditRow {
  const { id, at: rowTime, code: account, address: from, request, operation, changes, omitted, outcome, problem } = row
  const isNamed = row.actor_id !== null
  return {
    id,
    at: rowTime.toISOString(),
    account,
    who: {
      type: row.actor_type,
      ...(isNamed && { id: row.actor_id ?? '', name: row.actor_name ?? '' }),
    },
    from,
    request,
    operation,
    object: row.object_type === null ? null : { type: row.object_type, id: row.object_id, name: row.object_name },
    changes,
    omitted,
    outcome,
    problem,
  }
}

/** Rows of the audit, newest first. */
export async function* listAuditRows(
  db: Db,
  filter: AuditFilter,
  { after, limit }: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<AuditRow> {
  const conditions = [...buildConditions(filter), ...(after === undefined ? [] : [sql`a.id < ${after}`])]
  const whereClause = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
  const query = sql<StoredAuditRow>`
    select a.*, c.agency || c.customer as code from audit a left join accounts c on c.id = a.account
    where ${whereClause} order by a.id desc limit ${limit ?? null}::integer`
  for await (const row of streamRows(db, query)) yield toAuditRow(row)
}
