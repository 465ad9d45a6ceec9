import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import { actionChannelNames, type ChannelActionType } from '../../../channels/channel-traits.ts'
import {
  buildContainsPattern,
  buildSortedPageSql,
  type ListSorting,
  type ListSortKey,
  parseListSorting,
  parseListSortKey,
  type SortColumn,
  type SortedPageSql,
} from '../../../database/rows/sorting.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { parseWordList } from '../../../lib/text/word-list.ts'
import { parseTimePeriod, type TimePeriod } from '../../../lib/time/period.ts'
import { ACTION_STATES_IN_WORDS } from './action-schemas.ts'

const SORT_KEYS = ['id', 'name', 'creationDate', 'updateDate', 'state'] as const
type SortKey = (typeof SORT_KEYS)[number]

/** SQL columns of a row `a` of actions. */
const SORT_COLUMNS: Readonly<Record<SortKey, SortColumn>> = {
  id: { expression: sql`a.id`, type: 'integer' },
  name: { expression: sql`lower(a.name)`, type: 'text' },
  creationDate: { expression: sql`a.created_at`, type: 'timestamptz' },
  updateDate: { expression: sql`a.updated_at`, type: 'timestamptz' },
  state: { expression: sql`a.state`, type: 'integer' },
}

/** Parameters of lists of what is sent. */
export const sendListParameters = {
  creation_start: Type.Optional(
    Type.String({ description: 'Start of the time of creation, inclusive. ISO 8601, or milliseconds since 1970.' }),
  ),
  creation_end: Type.Optional(
    Type.String({ description: 'End of the time of creation, exclusive. ISO 8601, or milliseconds since 1970.' }),
  ),
  category: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_INT32, description: 'ID of the category. 0 or absent: any.' }),
  ),
  campaign: Type.Optional(Type.String({ description: 'ID of a campaign that contains the objects.' })),
  name: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the name, in any letter case.' })),
  report: Type.Optional(Type.Boolean({ description: 'Include a short report with each object. Default: false.' })),
}

export const buildSortParameter = (words: readonly string[]) =>
  Type.Optional(
    Type.String({ description: `Sort key: ${words.join(', ')}. A leading \`-\` sorts in descending order.` }),
  )

/** The same with those of actions. */
export const actionListParameters = {
  ...sendListParameters,
  state: Type.Optional(
    Type.String({ description: `States, separated by commas. ${ACTION_STATES_IN_WORDS} Absent: all.` }),
  ),
  sort: buildSortParameter(SORT_KEYS),
}

/** Parameters as they were given. */
export interface SendListQuery {
  creation_start?: string
  creation_end?: string
  state?: string
  type?: string
  category?: number
  campaign?: string
  name?: string
  sort?: string
}

/** Filter and order of a list of actions. */
export interface ActionListFilter {
  types: readonly ChannelActionType[]
  created: TimePeriod
  states: readonly number[] | undefined
  category: number | undefined
  /** A UUID. */
  campaign: string | undefined
  name: string | undefined
  sorting: ListSorting<SortKey>
}

/** Reads the campaign of a query. Throws 400 for what is no UUID. */
export function parseCampaignParameter(rawCampaign: string | undefined): string | undefined {
  if (rawCampaign === undefined || rawCampaign === '') return undefined
  const campaign = parseUuid(rawCampaign)
  if (campaign === undefined) throw badRequestProblem('campaign', 'must be the uuid of a campaign')
  return campaign
}

/** Reads the parameters of a list: of actions of these types, in these states. Throws 400 naming the parameter. */
export function parseActionListFilter(
  listQuery: SendListQuery,
  types: readonly ChannelActionType[],
  states: readonly number[],
): ActionListFilter {
  return {
    types: parseWordList('type', listQuery.type, types) ?? types,
    created: parseTimePeriod({ ...listQuery }, 'creation_start', 'creation_end'),
    states: parseWordList('state', listQuery.state, states.map(String))?.map(Number),
    category: listQuery.category || undefined,
    campaign: parseCampaignParameter(listQuery.campaign),
    name: listQuery.name?.replaceAll('\0', '') || undefined,
    sorting: parseListSorting('sort', listQuery.sort || 'id', SORT_KEYS),
  }
}

/** Creates the parser of a cursor key that a caller of a filtered list sends back. */
export function createActionKeyReader({ sorting }: ActionListFilter): (value: unknown) => ListSortKey | undefined {
  return (value) => parseListSortKey(value, SORT_COLUMNS[sorting.by])
}

/** Condition: an object with this number belongs to a campaign, among objects of the types passed in. */
export function isInCampaign(
  { account, campaign, types }: { account: AccountId; campaign: string | undefined; types: readonly string[] },
  number: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (campaign === undefined) return sql`true`
  return sql<boolean>`exists (
    select from campaign_items i where i.account = ${account} and i.campaign = ${campaign}::uuid
      and i.type = any(${types}::text[]) and i.number = ${number})`
}

/** Condition: a name contains a text, in any letter case. */
export function hasNameContaining(name: string | undefined, column: RawBuilder<unknown>): RawBuilder<boolean> {
  return name === undefined ? sql`true` : sql<boolean>`${column} ilike ${buildContainsPattern(name)}`
}

/** Condition: an object was created within a period. */
export function isCreatedWithin({ start, end }: TimePeriod, column: RawBuilder<unknown>): RawBuilder<boolean> {
  const toDate = (instant: number | undefined) => (instant === undefined ? null : new Date(instant))
  return sql<boolean>`(${toDate(start)}::timestamptz is null or ${column} >= ${toDate(start)})
    and (${toDate(end)}::timestamptz is null or ${column} < ${toDate(end)})`
}

/** A page of a filtered list: what stands behind "from actions a" is `condition` and `order`. */
export function buildActionListPage(
  account: AccountId,
  filter: ActionListFilter,
  page: { after: ListSortKey | undefined; limit: number | undefined },
): SortedPageSql {
  const { types, created, states, category, campaign, name, sorting } = filter
  const { key, condition, order } = buildSortedPageSql(SORT_COLUMNS, sql`a.id`, sorting, page)
  const listCondition = sql<boolean>`
    a.account = ${account} and a.type = any(${types}::text[]) and a.deleted_at is null and ${condition}
      and ${isCreatedWithin(created, sql`a.created_at`)}
      and (${states ?? null}::smallint[] is null or a.state = any(${states ?? null}::smallint[]))
      and (${category ?? null}::integer is null or a.category = ${category ?? null})
      and ${hasNameContaining(name, sql`a.name`)}
      and ${isInCampaign({ account, campaign, types: actionChannelNames }, sql`a.id`)}`
  return { key, condition: listCondition, order }
}
