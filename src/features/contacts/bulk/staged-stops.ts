import { type RawBuilder, sql } from 'kysely'
import type { ChannelRedListName } from '../../../channels/channel-traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { noticeInsertPartSql } from '../../notices/notices.ts'
import { stoppingBounceCodes } from '../bounce-flags/bounce-codes.ts'
import { bounceNoticeRows } from '../bounce-flags/bounce-flags.ts'
import { buildRedListNotices } from '../suppressions/red-list-memory.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import {
  matchStagedContacts,
  mergeStagedFields,
  type StagedContactWrite,
  type StagedSideEffects,
} from './staged-contacts.ts'

const RED_LIST_IMPORT_ORIGIN = 2

/** Send stops that a bulk write applies to its contacts. */
export interface StagedSendStops {
  /** Red lists that all of them are put on. */
  redLists: readonly ChannelRedListName[]
  /** True if rows of the staging table have marks of their own. */
  hasMarks: boolean
}

/** The parts of a mark: an entry on a red list, or a flag of a field. */
const selectMarkParts = (marks: RawBuilder<unknown>) =>
  sql`jsonb_to_recordset(coalesce(${marks}, '[]')) as m(channel text, field integer, code smallint, reason text)`

const isStoppingCode = sql`code = any(${stoppingBounceCodes}::smallint[])`

/** Flags of marked rows, where the contact has a value; a flag that stops sends already stays as it is. */
function buildFlagParts(shape: ContactShape, now: Date): RawBuilder<unknown> {
  const { account } = shape
  // A contact that the same statement creates is not seen yet: its values are those of its row.
  const presentFields = sql`(select c.fields from contacts c where c.account = ${account} and c.id = m.id)`
  return sql`, flagged as (
      insert into bounce_flags as b (account, contact, field, code, flagged_at, reason)
      select ${account}, m.id, m.field, m.code, ${now}, m.reason from marked m
      where m.field is not null and coalesce(${presentFields}, m.fields) ->> m.field::text is not null
      on conflict (account, contact, field) do update
      set code = excluded.code, flagged_at = excluded.flagged_at, reason = excluded.reason where not b.${isStoppingCode}
      returning contact, field, code)
    ${noticeInsertPartSql(shape, 'target.bounced', bounceNoticeRows)}`
}

/**
 * Builds the parts that put `contacts`, a part of a `with`, on red lists with the origin of an import, and that flag them as the marks of
 * their rows require. No entry is changed, and no flag that already stops sends.
 */
export function buildStagedSendStops(
  shape: ContactShape,
  { redLists, hasMarks, staging }: StagedSendStops & Pick<StagedContactWrite, 'staging'>,
  { importId, now }: { importId: number; now: Date },
  contacts: RawBuilder<unknown>,
): StagedSideEffects {
  if (redLists.length === 0 && !hasMarks) return { parts: sql``, blocked: sql`0` }
  const { account, listening } = shape
  const markedPart = sql`, marked as (
      select p.id, i.fields, m.* from ${contacts} p join ${staging} i on i.key = p.key cross join lateral ${selectMarkParts(sql`i.marks`)})`
  const listedChannels = sql`select id, channel from ${contacts}, unnest(${redLists}::text[]) as channel`
  const redListEntries = hasMarks
    ? sql`${listedChannels} union select id, channel from marked where channel is not null`
    : listedChannels
  const redListNotices = sql`, ${buildRedListNotices(account, sql`select * from listed`)}`
  const parts = sql`${hasMarks ? markedPart : sql``}, listed as (
      insert into red_list (account, channel, contact, listed_at, origin, detail)
      select ${account}, channel, id, ${now}, ${RED_LIST_IMPORT_ORIGIN}, jsonb_build_object('importId', ${importId}::integer)
      from (${redListEntries}) as e
      on conflict do nothing returning *)
    ${listening.has('target.redlisted') ? redListNotices : sql``}
    ${hasMarks ? buildFlagParts(shape, now) : sql``}`
  const stoppedContacts = hasMarks
    ? sql`select contact from listed union select contact from flagged`
    : sql`select contact from listed`
  return { parts, blocked: sql`(select count(distinct contact) from (${stoppedContacts}) s)` }
}

/** Condition on a row of `judged`: it stops sends to its contact, and nothing of the same kind does so yet. */
function buildStopCondition({ account }: ContactShape, { redLists, hasMarks }: StagedSendStops): RawBuilder<unknown> {
  if (redLists.length === 0 && !hasMarks) return sql`false`
  const stoppedChannels = sql`select unnest(${redLists}::text[]) as channel
    union all select m.channel from ${selectMarkParts(sql`j.marks`)} where m.channel is not null`
  return sql`(
    exists (select from (${stoppedChannels}) e where not exists (
      select from red_list r where r.account = ${account} and r.channel = e.channel and r.contact = j.known))
    or exists (select from ${selectMarkParts(sql`j.marks`)}
      where m.field is not null and j.after ->> m.field::text is not null and not exists (
        select from bounce_flags b
        where b.account = ${account} and b.contact = j.known and b.field = m.field and b.${isStoppingCode}
          and lower(j.before ->> m.field::text) is not distinct from lower(j.after ->> m.field::text))))`
}

/** The expected outcome of a staged write. */
export interface StagedWriteForecast {
  created: number
  updated: number
  blocked: number
}

/** Counts what a write of the staged rows would do, each key once, and does nothing of it; `updates`: it changes known contacts. */
export async function forecastStagedWrite(
  tx: Db,
  shape: ContactShape,
  write: Pick<StagedContactWrite, 'staging' | 'empties'> & StagedSendStops,
  { updates }: { updates: boolean },
): Promise<StagedWriteForecast> {
  await matchStagedContacts(tx, shape, write.staging)
  const newFields = write.empties ? sql`jsonb_strip_nulls(i.fields)` : sql`i.fields`
  const { rows } = await sql<StagedWriteForecast>`
    with judged as (
      select i.known, i.marks, c.fields as before,
        case when i.known is null then ${newFields} when ${updates} then ${mergeStagedFields(shape, write)} else c.fields end as after
      from ${write.staging} i left join lateral (
        select fields from contacts where account = ${shape.account} and id = i.known) c on true)
    select count(*) filter (where j.known is null) as created,
      count(*) filter (where j.known is not null and j.after <> j.before) as updated,
      count(*) filter (where ${buildStopCondition(shape, write)}) as blocked
    from judged j`.execute(tx)
  return rows[0] ?? { created: 0, updated: 0, blocked: 0 }
}
