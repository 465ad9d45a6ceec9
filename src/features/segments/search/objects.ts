import { type RawBuilder, sql } from 'kysely'
import { actionFamilies, listFamilyActionTypes } from '../../../channels/action-families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { formatActionId, parseActionId, parseInt32Id, parseUuid } from '../../../lib/ids.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import type { CriterionSql } from '../criteria/criterion-columns.ts'
import type { ObjectSearchResult } from './search-schemas.ts'

/** Objects of one kind that are looked at before the best of all kinds are chosen. */
const MAX_PER_KIND = 200

type ObjectType = Exclude<ObjectSearchResult['type'], 'contact' | 'profile'>

/** Format of the ids of a kind: a number, six characters of an action, or a text such as a UUID. */
type ObjectIdForm = 'number' | 'code' | 'text'

/** Location of the objects of a kind: `detail` adds a little to the name. */
interface ObjectKind {
  type: ObjectType
  /** `from` and the table. */
  from: CriterionSql
  id: ObjectIdForm
  name?: CriterionSql
  detail?: CriterionSql
  where?: CriterionSql
}

const isNotDeleted = sql`o.deleted_at is null`
const buildTypeCondition = (types: readonly string[]): CriterionSql =>
  sql`o.deleted_at is null and o.type = any(${types}::text[])`

/** Everything that has a name. */
const objectKinds: readonly ObjectKind[] = [
  {
    type: 'action',
    from: sql`from actions`,
    id: 'code',
    detail: sql`o.type`,
    where: buildTypeCondition(listFamilyActionTypes(actionFamilies.action)),
  },
  {
    type: 'rcs',
    from: sql`from actions`,
    id: 'number',
    detail: sql`o.type`,
    where: buildTypeCondition(listFamilyActionTypes(actionFamilies.rcs)),
  },
  { type: 'notification', from: sql`from notifications`, id: 'number', where: isNotDeleted },
  { type: 'segment', from: sql`from segments`, id: 'number', detail: sql`o.type` },
  { type: 'field', from: sql`from fields`, id: 'number', detail: sql`o.type` },
  { type: 'valueList', from: sql`from value_lists`, id: 'number' },
  { type: 'workflow', from: sql`from workflows`, id: 'number', where: isNotDeleted },
  { type: 'webtask', from: sql`from webtasks`, id: 'number' },
  { type: 'compilable', from: sql`from compilables`, id: 'text' },
  { type: 'campaign', from: sql`from campaigns`, id: 'text' },
  { type: 'import', from: sql`from imports`, id: 'number' },
  { type: 'importFormat', from: sql`from import_formats`, id: 'number', where: sql`o.is_saved` },
  { type: 'rcsProfile', from: sql`from rcs_profiles`, id: 'number' },
  { type: 'application', from: sql`from applications`, id: 'text' },
  { type: 'form', from: sql`from forms`, id: 'code' },
  { type: 'category', from: sql`from categories`, id: 'number' },
  { type: 'topic', from: sql`from pressure_topics`, id: 'text', name: sql`o.label`, where: isNotDeleted },
  { type: 'rule', from: sql`from pressure_rules`, id: 'text', name: sql`o.label` },
  { type: 'displayCampaign', from: sql`from display_campaigns`, id: 'text', where: isNotDeleted },
  { type: 'displayContent', from: sql`from display_contents`, id: 'text', where: isNotDeleted },
  { type: 'webhook', from: sql`from webhooks`, id: 'text' },
  { type: 'displayPlacement', from: sql`from display_placements`, id: 'text', where: isNotDeleted },
]

interface ObjectRow {
  type: ObjectSearchResult['type']
  id: string
  name: string
  detail: string | null
}

/** The id that a text can be, in the form of a kind; null for none. */
function parseObjectId(form: ObjectIdForm, text: string): string | null {
  if (form === 'number') return text.startsWith('0') ? null : (parseInt32Id(text)?.toString() ?? null)
  if (form === 'code') return parseActionId(text)?.toString() ?? null
  return parseUuid(text) ?? text
}

/** Objects whose id or name is `text`, or whose name has it as a part, with how well: 0 is the best. */
function buildRankedMatch(
  select: { where: CriterionSql; id: CriterionSql; name: CriterionSql },
  text: string,
  form: ObjectIdForm,
): { rank: CriterionSql; where: CriterionSql } {
  const name = sql`searched(${select.name})`
  const matchesId = sql`${select.id}::text = ${parseObjectId(form, text)}::text`
  return {
    rank: sql`case when ${matchesId} then 0 when ${name} = searched(${text}::text) then 1
      when starts_with(${name}, searched(${text}::text)) then 2
      when strpos(${name}, ' ' || searched(${text}::text)) > 0 then 3 else 4 end`,
    where: sql`${select.where} and (${matchesId} or ${name} like part_pattern(${text}::text))`,
  }
}

function buildKindSelect(account: AccountId, text: string, kind: ObjectKind): CriterionSql {
  const {
    type,
    from: fromClause,
    id: form,
    name = sql`o.name`,
    detail = sql`null::text`,
    where: kindCondition = sql`true`,
  } = kind
  const id = sql`o.id`
  const rankedMatch = buildRankedMatch(
    { where: sql`o.account = ${account} and ${kindCondition}`, id, name },
    text,
    form,
  )
  return sql`(
    select ${type}::text as type, ${id}::text as id, ${name} as name, ${detail} as detail, ${rankedMatch.rank} as rank
    ${fromClause} o where ${rankedMatch.where} order by rank, length(${name}) limit ${MAX_PER_KIND})`
}

/** The sending profiles, which are settings of the account. */
async function buildProfileSelect(db: Db, account: AccountId, text: string): Promise<CriterionSql> {
  const { profiles } = await readSendingSettings(db, account)
  const rankedMatch = buildRankedMatch({ where: sql`true`, id: sql`o.id`, name: sql`o.name` }, text, 'number')
  return sql`(
    select 'profile'::text, o.id::text, o.name, o.channel, ${rankedMatch.rank}
    from unnest(${profiles.map(({ id }) => id)}::integer[], ${profiles.map(({ name }) => name)}::text[],
      ${profiles.map(({ channel }) => channel)}::text[]) as o (id, name, channel) where ${rankedMatch.where})`
}

const idFormsByType = new Map(objectKinds.map(({ type, id }) => [type as string, id]))

function toSearchResult({ type, id, name, detail }: ObjectRow): ObjectSearchResult {
  const form = type === 'profile' ? 'number' : idFormsByType.get(type)
  return { type, id: form === 'number' ? Number(id) : form === 'code' ? formatActionId(Number(id)) : id, name, detail }
}

/** Objects of every kind by their id, their name or a part of it; the best first. */
export async function findObjectsByName(
  db: Db,
  account: AccountId,
  text: string,
  limit: number,
): Promise<ObjectSearchResult[]> {
  const kindSelects: RawBuilder<unknown>[] = objectKinds.map((kind) => buildKindSelect(account, text, kind))
  const { rows } = await sql<ObjectRow>`
    select type, id, name, detail from (
      ${sql.join([...kindSelects, await buildProfileSelect(db, account, text)], sql` union all `)}) f
    order by rank, length(name), searched(name), type, id limit ${limit}`.execute(db)
  return rows.map(toSearchResult)
}
