import { type Selectable, sql } from 'kysely'
import type { ActionType } from '../../channels/facts.ts'
import { families, typesOf } from '../../channels/families.ts'
import type { Db } from '../../database/connect.ts'
import { rows } from '../../database/stream.ts'
import type { DB } from '../../database/tables.ts'
import type { AccountId } from '../../lib/account.ts'
import { actionId } from '../../lib/ids.ts'
import type { Period } from '../../lib/period.ts'
import type { Figures } from '../../outbox/sendings.ts'
import type { Action, ListedAction } from './action-schemas.ts'
import { datesOf, monitorOf } from './document.ts'
import { isCampaign } from './states.ts'
import {
  runFigures,
  type StoredAction,
  type StoredRow,
  type StoredScheduler,
  storedColumns,
  withPause,
} from './stored.ts'

const types = typesOf(families.action)

type Listed = Pick<
  Selectable<DB['actions']>,
  'id' | 'name' | 'state' | 'folder' | 'category' | 'created_at' | 'started_at'
> & {
  type: Action['type']
  templating: ListedAction['settings']['templating']
  scheduler: StoredScheduler | null
  figures: Figures
}

/** The actions made in a period, ascending id: those after the page's key, at most its limit. */
export async function* listActions(
  db: Db,
  account: AccountId,
  { start, end }: Period,
  page: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<ListedAction> {
  const date = (instant: number | undefined) => (instant === undefined ? null : new Date(instant))
  const query = sql<Listed>`
    select a.id, a.type, a.name, a.state, a.folder, a.category, a.created_at, a.started_at, a.settings->'templating' as templating,
      a.scheduler, case when a.started_at is not null then ${runFigures} end as figures
    from actions a
    where a.account = ${account} and a.type = any(${types}::text[]) and a.deleted_at is null and a.id > ${page.after ?? 0}
      and (${date(start)}::timestamptz is null or a.created_at >= ${date(start)})
      and (${date(end)}::timestamptz is null or a.created_at < ${date(end)})
    order by a.id limit ${page.limit ?? null}`
  for await (const row of rows(db, query)) yield showListed(row)
}

function showListed({
  id,
  type,
  name,
  state,
  folder,
  category,
  created_at,
  started_at,
  templating,
  scheduler,
  figures,
}: Listed): ListedAction {
  return {
    type,
    id: actionId(id),
    name,
    creationDate: created_at.toISOString(),
    informations: { folder, category, state },
    state,
    settings: { templating },
    ...(isCampaign(type) &&
      scheduler && { scheduler: datesOf({ scheduler, started_at }), monitor: monitorOf(figures, started_at) }),
  }
}

/** Which actions a list holds. */
export interface ListFilter {
  types: readonly ActionType[]
  created: Period
  state: number | undefined
}

/** Actions that a filter lets through, whole, ascending id: those after the page's key, at most its limit. */
export async function* listWhole(
  db: Db,
  account: AccountId,
  { created: { start, end }, types: wanted, state }: ListFilter,
  page: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<StoredAction> {
  const date = (instant: number | undefined) => (instant === undefined ? null : new Date(instant))
  const query = sql<StoredRow>`
    select ${storedColumns} from actions a
    where a.account = ${account} and a.type = any(${wanted}::text[]) and a.deleted_at is null and a.id > ${page.after ?? 0}
      and (${date(start)}::timestamptz is null or a.created_at >= ${date(start)})
      and (${date(end)}::timestamptz is null or a.created_at < ${date(end)})
      and (${state ?? null}::smallint is null or a.state = ${state ?? null})
    order by a.id limit ${page.limit ?? null}::integer`
  for await (const row of rows(db, query)) yield withPause(row)
}
