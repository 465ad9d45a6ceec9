import { type RawBuilder, sql } from 'kysely'
import { actionFamilies, listFamilyActionTypes } from '../../../channels/families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { formatActionId, parseActionId, parseInt32Id, parseUuid } from '../../../lib/ids.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import type { CriterionSql } from '../criteria/criterion-columns.ts'
import type { ObjectSearchResult } from './search-schemas.ts'

/** Objects of one kind that are looked at before the best of all kinds are chosen. */
const MOST_OF_A_KIND = 200

type ObjectType = Exclude<ObjectSearchResult['type'], 'contact' | 'profile'>

/** How ids of a kind are written: a number, six characters of an action, or a text such as a UUID. */
type IdForm = 'number' | 'code' | 'text'

/** Where the objects of a kind are: `detail` says a little more than the name. */
interface ObjectKind {
  type: ObjectType
  /** `from` and the table. */
  from: CriterionSql
  id: IdForm
  name?: CriterionSql
  detail?: CriterionSql
  where?: CriterionSql
}

const undeleted = sql`o.deleted_at is null`
const ofType = (types: readonly string[]): CriterionSql => sql`o.deleted_at is null and o.type = any(${types}::text[])`

/** Everything that has a name. */
const kinds: readonly ObjectKind[] = [
  {
    type: 'action',
    from: sql`from actions`,
    id: 'code',
    detail: sql`o.type`,
    where: ofType(listFamilyActionTypes(actionFamilies.action)),
  },
  {
    type: 'rcs',
    from: sql`from actions`,
    id: 'number',
    detail: sql`o.type`,
    where: ofType(listFamilyActionTypes(actionFamilies.rcs)),
  },
  { type: 'notification', from: sql`from notifications`, id: 'number', where: undeleted },
  { type: 'segment', from: sql`from segments`, id: 'number', detail: sql`o.type` },
  { type: 'field', from: sql`from fields`, id: 'number', detail: sql`o.type` },
  { type: 'valueList', from: sql`from value_lists`, id: 'number' },
  { type: 'workflow', from: sql`from workflows`, id: 'number', where: undeleted },
  { type: 'webtask', from: sql`from webtasks`, id: 'number' },
  { type: 'compilable', from: sql`from compilables`, id: 'text' },
  { type: 'campaign', from: sql`from campaigns`, id: 'text' },
  { type: 'import', from: sql`from imports`, id: 'number' },
  { type: 'importFormat', from: sql`from import_formats`, id: 'number', where: sql`o.is_saved` },
  { type: 'rcsProfile', from: sql`from rcs_profiles`, id: 'number' },
  { type: 'application', from: sql`from applications`, id: 'text' },
  { type: 'form', from: sql`from forms`, id: 'code' },
  { type: 'category', from: sql`from categories`, id: 'number' },
  { type: 'topic', from: sql`from pressure_topics`, id: 'text', name: sql`o.label`, where: undeleted },
  { type: 'rule', from: sql`from pressure_rules`, id: 'text', name: sql`o.label` },
  { type: 'displayCampaign', from: sql`from display_campaigns`, id: 'text', where: undeleted },
  { type: 'displayContent', from: sql`from display_contents`, id: 'text', where: undeleted },
  { type: 'webhook', from: sql`from webhooks`, id: 'text' },
  { type: 'displayPlacement', from: sql`from display_placements`, id: 'text', where: undeleted },
]

interface Row {
  type: ObjectSearchResult['type']
  id: string
  name: string
  detail: string | null
}

/** The id that a text can be, in the form of a kind; null for none. */
function readId(form: IdForm, text: string): string | null {
  if (form === 'number') return text.startsWith('0') ? null : (parseInt32Id(text)?.toString() ?? null)
  if (form === 'code') return parseActionId(text)?.toString() ?? null
  return parseUuid(text) ?? text
}

/** Objects whose id or name is `text`, or whose name has it as a part, with how well: 0 is the best. */
function ranked(
  select: { where: CriterionSql; id: CriterionSql; name: CriterionSql },
  text: string,
  form: IdForm,
): { rank: CriterionSql; where: CriterionSql } {
  const name = sql`searched(${select.name})`
  const isId = sql`${select.id}::text = ${readId(form, text)}::text`
  return {
    rank: sql`case when ${isId} then 0 when ${name} = searched(${text}::text) then 1
      when starts_with(${name}, searched(${text}::text)) then 2
      when strpos(${name}, ' ' || searched(${text}::text)) > 0 then 3 else 4 end`,
    where: sql`${select.where} and (${isId} or ${name} like part_pattern(${text}::text))`,
  }
}

function leg(account: AccountId, text: string, kind: ObjectKind): CriterionSql {
  const { type, from, id: form, name = sql`o.name`, detail = sql`null::text`, where = sql`true` } = kind
  const id = sql`o.id`
  const found = ranked({ where: sql`o.account = ${account} and ${where}`, id, name }, text, form)
  return sql`(
    select ${type}::text as type, ${id}::text as id, ${name} as name, ${detail} as detail, ${found.rank} as rank
    ${from} o where ${found.where} order by rank, length(${name}) limit ${MOST_OF_A_KIND})`
}

/** The sending profiles, which are settings of the account. */
async function profileLeg(db: Db, account: AccountId, text: string): Promise<CriterionSql> {
  const { profiles } = await readSendingSettings(db, account)
  const found = ranked({ where: sql`true`, id: sql`o.id`, name: sql`o.name` }, text, 'number')
  return sql`(
    select 'profile'::text, o.id::text, o.name, o.channel, ${found.rank}
    from unnest(${profiles.map(({ id }) => id)}::integer[], ${profiles.map(({ name }) => name)}::text[],
      ${profiles.map(({ channel }) => channel)}::text[]) as o (id, name, channel) where ${found.where})`
}

const formOf = new Map(kinds.map(({ type, id }) => [type as string, id]))

function show({ type, id, name, detail }: Row): ObjectSearchResult {
  const form = type === 'profile' ? 'number' : formOf.get(type)
  return { type, id: form === 'number' ? Number(id) : form === 'code' ? formatActionId(Number(id)) : id, name, detail }
}

/** Objects of every kind by their id, their name or a part of it; the best first. */
export async function findObjectsByName(
  db: Db,
  account: AccountId,
  text: string,
  limit: number,
): Promise<ObjectSearchResult[]> {
  const legs: RawBuilder<unknown>[] = kinds.map((kind) => leg(account, text, kind))
  const { rows } = await sql<Row>`
    select type, id, name, detail from (
      ${sql.join([...legs, await profileLeg(db, account, text)], sql` union all `)}) f
    order by rank, length(name), searched(name), type, id limit ${limit}`.execute(db)
  return rows.map(show)
}
