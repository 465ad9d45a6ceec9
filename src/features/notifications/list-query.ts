import { sql } from 'kysely'
import { Type } from 'typebox'
import { notification } from '../../channels/push/facts.ts'
import {
  readSorting,
  readSortKey,
  type SortColumn,
  type SortedPage,
  type Sorting,
  type SortKey,
  sortedPage,
} from '../../database/rows/sorting.ts'
import type { AccountId } from '../../lib/account.ts'
import { readWords } from '../../lib/text/word-list.ts'
import { type Period, readPeriod } from '../../lib/time/period.ts'
import {
  type GivenList,
  isInCampaign,
  isMadeIn,
  isNamed,
  listParameters,
  readCampaign,
  sortParameter,
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
  ...Type.Omit(Type.Object(listParameters), ['category']).properties,
  sort: sortParameter(sortWords),
}

/** Which notifications a list holds, in which order. */
export interface ListFilter {
  /** Whether they are active; both without one. */
  active: readonly boolean[]
  created: Period
  campaign: string | undefined
  name: string | undefined
  sorting: Sorting<(typeof sortWords)[number]>
}

/** Reads the parameters of a list. Throws 400 naming the parameter. */
export function readListFilter(given: GivenList & { active?: boolean }): ListFilter {
  const named = readWords('state', given.state, states) ?? states
  const wanted = named.map((word) => word === 'active')
  return {
    active: given.active === undefined ? wanted : wanted.filter((word) => word === given.active),
    created: readPeriod({ ...given }, 'creation_start', 'creation_end'),
    campaign: readCampaign(given.campaign),
    name: given.name?.replaceAll('\0', '') || undefined,
    sorting: readSorting('sort', given.sort || 'id', sortWords),
  }
}

/** How a key of a filtered list is read that came back from a caller. */
export function keyReader({ sorting }: ListFilter): (value: unknown) => SortKey | undefined {
  return (value) => readSortKey(value, columns[sorting.by])
}

/** A page of a filtered list: what stands behind "from notifications n" is `condition` and `order`. */
export function listPage(
  account: AccountId,
  { active, created, campaign: of, name: named, sorting }: ListFilter,
  page: { after: SortKey | undefined; limit: number | undefined },
): SortedPage {
  const { key, condition, order } = sortedPage(columns, sql`n.id`, sorting, page)
  const types = [notification.name]
  return {
    key,
    order,
    condition: sql<boolean>`n.account = ${account} and ${condition} and n.active = any(${active}::boolean[])
      and ${isMadeIn(created, sql`n.created_at`)} and ${isNamed(named, sql`n.name`)}
      and ${isInCampaign({ account, campaign: of, types }, sql`n.id`)}`,
  }
}
