import { sql } from 'kysely'
import { Type } from 'typebox'
import { pushChannelTraits } from '../../channels/push/facts.ts'
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

const sortWords = ['id', 'name', 'creationDate', 'updateDate', 'state'] as const
const states = ['active', 'inactive'] as const

/** Of a row `n` of notifications; inactive ones come first. */
const columns: Readonly<Record<(typeof sortWords)[number], SortColumn>> = {
  id: { expression: sql`n.id`, type: 'integer' },
  name: { expression: sql`lower(n.name)`, type: 'text' },
  creationDate: { expression: sql`n.created_at`, type: 'timestamptz' },
  updateDate: { expression: sql`n.updated_at`, type: 'timestamptz' },
  state: { expression: sql`n.active::integer`, type: 'integer' },
}

/** Parameters of the list of notifications. */
export const notificationListParameters = {
  active: Type.Optional(Type.Boolean()),
  state: Type.Optional(Type.String({ description: 'active, inactive: the same as "active" in words' })),
  ...Type.Omit(Type.Object(sendListParameters), ['category']).properties,
  sort: buildSortParameter(sortWords),
}

/** Which notifications a list holds, in which order. */
export interface NotificationListFilter {
  /** Whether they are active; both without one. */
  active: readonly boolean[]
  created: TimePeriod
  campaign: string | undefined
  name: string | undefined
  sorting: ListSorting<(typeof sortWords)[number]>
}

/** Reads the parameters of a list. Throws 400 naming the parameter. */
export function parseNotificationListFilter(given: SendListQuery & { active?: boolean }): NotificationListFilter {
  const named = parseWordList('state', given.state, states) ?? states
  const wanted = named.map((word) => word === 'active')
  return {
    active: given.active === undefined ? wanted : wanted.filter((word) => word === given.active),
    created: parseTimePeriod({ ...given }, 'creation_start', 'creation_end'),
    campaign: parseCampaignParameter(given.campaign),
    name: given.name?.replaceAll('\0', '') || undefined,
    sorting: parseListSorting('sort', given.sort || 'id', sortWords),
  }
}

/** How a key of a filtered list is read that came back from a caller. */
export function createNotificationKeyReader({
  sorting,
}: NotificationListFilter): (value: unknown) => ListSortKey | undefined {
  return (value) => parseListSortKey(value, columns[sorting.by])
}

/** A page of a filtered list: what stands behind "from notifications n" is `condition` and `order`. */
export function buildNotificationListPage(
  account: AccountId,
  { active, created, campaign: of, name: named, sorting }: NotificationListFilter,
  page: { after: ListSortKey | undefined; limit: number | undefined },
): SortedPageSql {
  const { key, condition, order } = buildSortedPageSql(columns, sql`n.id`, sorting, page)
  const types = [pushChannelTraits.name]
  return {
    key,
    order,
    condition: sql<boolean>`n.account = ${account} and ${condition} and n.active = any(${active}::boolean[])
      and ${isCreatedWithin(created, sql`n.created_at`)} and ${hasNameContaining(named, sql`n.name`)}
      and ${isInCampaign({ account, campaign: of, types }, sql`n.id`)}`,
  }
}
