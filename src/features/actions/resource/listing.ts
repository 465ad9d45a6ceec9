import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { ListSortKey } from '../../../database/rows/sorting.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { DB } from '../../../database/tables.ts'
import type { AccountId } from '../../../lib/account.ts'
import { formatActionId } from '../../../lib/ids.ts'
import type { SendingFigures } from '../../../sending/plan/sendings.ts'
import type { EventChannel } from '../../events/kinds/event-kinds.ts'
import type { ShortReport } from '../reports/short-report-schemas.ts'
import { attachShortReports, readShortReports, type ShortReportSubject } from '../reports/short-reports.ts'
import { buildCampaignRunMonitor, resolveSchedulerDates } from './action-presenter.ts'
import {
  actionRunFigures,
  type StoredAction,
  type StoredActionRow,
  type StoredActionScheduler,
  storedActionColumns,
  toStoredAction,
} from './action-repository.ts'
import type { ActionResponse, ListedAction } from './action-schemas.ts'
import { type ActionListFilter, buildActionListPage } from './list-query.ts'
import { isCampaignType } from './states.ts'

type ListedActionRow = Pick<
  Selectable<DB['actions']>,
  'id' | 'name' | 'state' | 'folder' | 'category' | 'created_at' | 'started_at' | 'sending'
> & {
  type: ActionResponse['type']
  templating: ListedAction['settings']['templating']
  scheduler: StoredActionScheduler | null
  figures: SendingFigures
}

/** An item of a list with its place, and what a report of it goes by. */
export interface ReportableListItem<Item> {
  item: Item
  key: ListSortKey
  reported: ShortReportSubject
}

interface SortKeyColumns {
  sort_key: string
}

function toListEntry<Item>(item: Item, row: SortKeyColumns & Pick<StoredAction, 'id' | 'started_at' | 'sending'>) {
  const { id, sort_key, sending, started_at } = row
  return { item, key: [sort_key, id] as const, reported: { id, sending, startedAt: started_at } }
}

type ActionListPage = { after: ListSortKey | undefined; limit: number | undefined }

/** The actions that a filter lets through, in its order: those after the page's key, at most its limit. */
export async function* listActions(
  db: Db,
  account: AccountId,
  filter: ActionListFilter,
  page: ActionListPage,
): AsyncGenerator<ReportableListItem<ListedAction>> {
  const { key, condition, order } = buildActionListPage(account, filter, page)
  const query = sql<ListedActionRow & SortKeyColumns>`
    select a.id, a.type, a.name, a.state, a.folder, a.category, a.created_at, a.started_at, a.sending, ${key} as sort_key,
      a.settings->'templating' as templating, a.scheduler, case when a.started_at is not null then ${actionRunFigures} end as figures
    from actions a where ${condition} ${order}`
  for await (const row of streamRows(db, query)) yield toListEntry(presentListed(row), row)
}

function presentListed({
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
}: ListedActionRow): ListedAction {
  return {
    type,
    id: formatActionId(id),
    name,
    creationDate: created_at.toISOString(),
    informations: { folder, category, state },
    state,
    settings: { templating },
    ...(isCampaignType(type) &&
      scheduler && {
        scheduler: resolveSchedulerDates({ scheduler, started_at }),
        monitor: buildCampaignRunMonitor(figures, started_at),
      }),
  }
}

/** The same, each whole. */
export async function* listStoredActions(
  db: Db,
  account: AccountId,
  filter: ActionListFilter,
  page: ActionListPage,
): AsyncGenerator<ReportableListItem<StoredAction>> {
  const { key, condition, order } = buildActionListPage(account, filter, page)
  const query = sql<StoredActionRow & SortKeyColumns>`
    select ${storedActionColumns}, ${key} as sort_key from actions a where ${condition} ${order}`
  for await (const row of streamRows(db, query)) yield toListEntry(toStoredAction(row), row)
}

/** A list in which each item has its short report, as `report`; the items as they are where none is asked for. */
export async function* attachActionReports<Item extends object>(
  db: Db,
  of: { account: AccountId; channels: readonly EventChannel[]; isAsked: boolean },
  listed: AsyncIterable<ReportableListItem<Item>>,
): AsyncGenerator<ReportableListItem<Item & { report?: ShortReport }>> {
  if (!of.isAsked) return yield* listed
  const reports = attachShortReports(
    listed,
    ({ reported }) => reported,
    (reported) => readShortReports(db, of, reported),
  )
  for await (const { row, report } of reports) yield { ...row, item: { ...row.item, report } }
}
