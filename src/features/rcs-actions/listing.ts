import { sql } from 'kysely'
import { families, typesOf } from '../../channels/families.ts'
import type { Db } from '../../database/connect.ts'
import { rows } from '../../database/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import type { Period } from '../../lib/period.ts'
import { type StoredRow, storedColumns, withPause } from '../actions/stored.ts'
import { showRcsAction } from './documents.ts'
import type { RcsAction } from './rcs-action-schemas.ts'

/** Which actions a list holds. */
export interface ListFilter {
  created: Period
  type: RcsAction['type'] | undefined
  state: number | undefined
}

/** RCS actions, whole, ascending id: those after the page's key, at most its limit. */
export async function* listRcsActions(
  db: Db,
  account: AccountId,
  { created: { start, end }, type, state }: ListFilter,
  page: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<RcsAction> {
  const date = (instant: number | undefined) => (instant === undefined ? null : new Date(instant))
  const types = type === undefined ? typesOf(families.rcs) : [type]
  const query = sql<StoredRow>`
    select ${storedColumns} from actions a
    where a.account = ${account} and a.type = any(${types}::text[]) and a.deleted_at is null and a.id > ${page.after ?? 0}
      and (${date(start)}::timestamptz is null or a.created_at >= ${date(start)})
      and (${date(end)}::timestamptz is null or a.created_at < ${date(end)})
      and (${state ?? null}::smallint is null or a.state = ${state ?? null})
    order by a.id limit ${page.limit ?? null}::integer`
  for await (const row of rows(db, query)) yield showRcsAction(withPause(row))
}
