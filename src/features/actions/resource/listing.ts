import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { SortKey } from '../../../database/rows/sorting.ts'
import { rows } from '../../../database/rows/stream.ts'
import type { DB } from '../../../database/tables.ts'
import type { AccountId } from '../../../lib/account.ts'
import { actionId } from '../../../lib/ids.ts'
import type { Figures } from '../../../sending/plan/sendings.ts'
import type { Channel } from '../../events/kinds/event-kinds.ts'
import type { ShortReport } from '../reports/short-report-schemas.ts'
import { type Reported, shortReports, withReports } from '../reports/short-reports.ts'
import { datesOf, monitorOf } from './action-presenter.ts'
import {
  runFigures,
  type StoredAction,
  type StoredRow,
  type StoredScheduler,
  storedColumns,
  withPause,
} from './action-repository.ts'
import type { Action, ListedAction } from './action-schemas.ts'
import { type ListFilter, listPage } from './list-query.ts'
import { isCampaign } from './states.ts'

type Listed = Pick<
  Selectable<DB['actions']>,
  'id' | 'name' | 'state' | 'folder' | 'category' | 'created_at' | 'started_at' | 'sending'
> & {
  type: Action['type']
  templating: ListedAction['settings']['templating']
  scheduler: StoredScheduler | null
  figures: Figures
}

/** An item of a list with its place, and what a report of it goes by. */
export interface Placed<Item> {
  item: Item
  key: SortKey
  reported: Reported
}

interface PlaceColumns {
  sort_key: string
}

function placed<Item>(item: Item, row: PlaceColumns & Pick<StoredAction, 'id' | 'started_at' | 'sending'>) {
  const { id, sort_key, sending, started_at } = row
  return { item, key: [sort_key, id] as const, reported: { id, sending, startedAt: started_at } }
}

type ListPage = { after: SortKey | undefined; limit: number | undefined }

/** The actions that a filter lets through, in its order: those after the page's key, at most its limit. */
export async function* listActions(
  db: Db,
  account: AccountId,
  filter: ListFilter,
  page: ListPage,
): AsyncGenerator<Placed<ListedAction>> {
  const { key, condition, order } = listPage(account, filter, page)
  const query = sql<Listed & PlaceColumns>`
    select a.id, a.type, a.name, a.state, a.folder, a.category, a.created_at, a.started_at, a.sending, ${key} as sort_key,
      a.settings->'templating' as templating, a.scheduler, case when a.started_at is not null then ${runFigures} end as figures
    from actions a where ${condition} ${order}`
  for await (const row of rows(db, query)) yield placed(showListed(row), row)
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

/** The same, each whole. */
export async function* listWhole(
  db: Db,
  account: AccountId,
  filter: ListFilter,
  page: ListPage,
): AsyncGenerator<Placed<StoredAction>> {
  const { key, condition, order } = listPage(account, filter, page)
  const query = sql<StoredRow & PlaceColumns>`
    select ${storedColumns}, ${key} as sort_key from actions a where ${condition} ${order}`
  for await (const row of rows(db, query)) yield placed(withPause(row), row)
}

/** A list in which each item has its short report, as `report`; the items as they are where none is asked for. */
export async function* withShortReports<Item extends object>(
  db: Db,
  of: { account: AccountId; channels: readonly Channel[]; isAsked: boolean },
  listed: AsyncIterable<Placed<Item>>,
): AsyncGenerator<Placed<Item & { report?: ShortReport }>> {
  if (!of.isAsked) return yield* listed
  const reports = withReports(
    listed,
    ({ reported }) => reported,
    (reported) => shortReports(db, of, reported),
  )
  for await (const { row, report } of reports) yield { ...row, item: { ...row.item, report } }
}
