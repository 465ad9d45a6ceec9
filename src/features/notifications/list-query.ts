import { sql } from 'kysely'
import { Type } from 'typebox'
import { pushChannelTraits } from '../../channels/push/traits.ts'
import {
  buildSortedPageSql,
  type ListSorting,
  type ListSortKey,
  parseListSorting,
  parseListSortKey,
  type SortColumn,
  type SortedPageSql,
} from '../../database/rows/sorting.ts'
import type { AccountId } from '../../lib/account.ts'
import { parseWordList } from '../../lib/text/word-list.ts'
import { parseTimePeriod, type TimePeriod } from '../../lib/time/period.ts'
import {
  buildSortParameter,
  hasNameContaining,
  isCreatedWithin,
  isInCampaign,
  parseCampaignParameter,
  type SendListQuery,
  sendListParameters,
} from '../actions/resource/list-query.ts'

const SORT_KEYS = ['id', 'name', 'creationDate', 'updateDate', 'state'] as const
const NOTIFICATION_STATES = ['active', 'inactive'] as const

/** SQL columns of a row `n` of notifications; inactive ones come first. */
const SORT_COLUMNS: Readonly<Record<(typeof SORT_KEYS)[number], SortColumn>> = {
  id: { expression: sql`n.id`, type: 'integer' },
  name: { expression: sql`lower(n.name)`, type: 'text' },
  creationDate: { expression: sql`n.created_at`, type: 'timestamptz' },
  updateDate: { expression: sql`n.updated_at`, type: 'timestamptz' },
  state: { expression: sql`n.active::integer`, type: 'integer' },
}

/** Parameters of the list of notifications. */
export const notificationListParameters = {
  active: Type.Optional(
    Type.Boolean({
      description: 'True: return active notifications only. False: return inactive ones only. Absent: both.',
    }),
  ),
  state: Type.Optional(
    Type.String({ description: 'States to return, separated by commas: `active`, `inactive`. Absent: both.' }),
  ),
  ...Type.Omit(Type.Object(sendListParameters), ['category']).properties,
  sort: buildSortParameter(SORT_KEYS),
}

/** Filter and order of a list of notifications. */
export interface NotificationListFilter {
  /** Activity states to include; both by default. */
  active: readonly boolean[]
  created: TimePeriod
  campaign: string | undefined
  name: string | undefined
  sorting: ListSorting<(typeof SORT_KEYS)[number]>
}

/** Reads the parameters of a list. Throws 400 naming the parameter. */
export function parseNotificationListFilter(listQuery: SendListQuery & { active?: boolean }): NotificationListFilter {
  const stateNames = parseWordList('state', listQuery.state, NOTIFICATION_STATES) ?? NOTIFICATION_STATES
  const activeValues = stateNames.map((word) => word === 'active')
  return {
    active: listQuery.active === undefined ? activeValues : activeValues.filter((word) => word === listQuery.active),
    created: parseTimePeriod({ ...listQuery }, 'creation_start', 'creation_end'),
    campaign: parseCampaignParameter(listQuery.campaign),
    name: listQuery.name?.replaceAll('\0', '') || undefined,
    sorting: parseListSorting('sort', listQuery.sort || 'id', SORT_KEYS),
  }
}

/** Creates the parser of a cursor key that a caller of a filtered list sends back. */
export function createNotificationKeyReader({
  sorting,
}: NotificationListFilter): (value: unknown) => ListSortKey | undefined {
  return (value) => parseListSortKey(value, SORT_COLUMNS[sorting.by])
}

/** A page of a filtered list: what stands behind "from notifications n" is `condition` and `order`. */
export function buildNotificationListPage(
  account: AccountId,
  { active, created, campaign: of, name: searchedName, sorting }: NotificationListFilter,
  page: { after: ListSortKey | undefined; limit: number | undefined },
): SortedPageSql {
  const { key, condition, order } = buildSortedPageSql(SORT_COLUMNS, sql`n.id`, sorting, page)
  const types = [pushChannelTraits.name]
  return {
    key,
    order,
    condition: sql<boolean>`n.account = ${account} and ${condition} and n.active = any(${active}::boolean[])
      and ${isCreatedWithin(created, sql`n.created_at`)} and ${hasNameContaining(searchedName, sql`n.name`)}
      and ${isInCampaign({ account, campaign: of, types }, sql`n.id`)}`,
  }
}
