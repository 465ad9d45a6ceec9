import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import {
  applyStagedSideEffects,
  createStagedContacts,
  restoreStagedRedLists,
  type StagedContactWrite,
  updateStagedContacts,
} from '../../contacts/bulk/staged-contacts.ts'
import { buildStagedSendStops, type StagedSendStops } from '../../contacts/bulk/staged-stops.ts'
import type { ContactWriteContext } from '../../contacts/records/write.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { buildSegmentJoinParts, replaceSegmentMembers } from '../../segments/members/bulk-members.ts'
import type { LineBatch } from '../files/reader.ts'
import { formatUnicityColumn } from './rows.ts'
import { importStagingTable } from './staging.ts'

/** Effects of a run on the contacts of its lines. */
export interface ImportRunEffects extends StagedSendStops {
  execution: number
  /** Nothing is written but what the run says of itself. */
  dryRun: boolean
  account: AccountId
  import: number
  /** The line of a key that counts; the others are listed in the rejects, except with `ignore`. */
  duplicates: 'first' | 'ignore' | 'last'
  updateExisting: boolean
  /** Empty cells empty the field of a known contact. */
  empties: boolean
  /** The segment that contacts join; `isEmptied`: only at the end, when all others leave it. */
  segment: { id: number; isEmptied: boolean } | undefined
}

/** Outcome of the lines of a batch; the sum, without `blocked`, is their number. */
export interface ImportBatchCounts {
  created: number
  updated: number
  rejected: number
  duplicates: number
  skipped: number
  /** Contacts that no one was kept from sending to before. */
  blocked: number
}

/** Side effects on contacts, in addition to their values. */
function buildSideEffects(
  { execution, import: importId, segment, redLists, hasMarks }: ImportRunEffects,
  shape: ContactShape,
  now: Date,
): StagedContactWrite['also'] {
  return (contacts) => {
    const { parts, blocked } = buildStagedSendStops(
      shape,
      { redLists, hasMarks, staging: importStagingTable },
      { importId, now },
      contacts,
    )
    return { parts: sql`${buildSegmentParts(shape, execution, segment, contacts)} ${parts}`, blocked }
  }
}

/** Members of a segment that is to be emptied are noted, and join it when the run ends. */
function buildSegmentParts(
  shape: ContactShape,
  execution: number,
  segment: ImportRunEffects['segment'],
  contacts: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!segment) return sql``
  if (!segment.isEmptied) return buildSegmentJoinParts(shape, segment.id, contacts)
  return sql`, noted as (
    insert into import_members (execution, contact) select ${execution}, id from ${contacts} on conflict do nothing)`
}

/** Notes the keys of the staged lines with the place of their last one: the first of two passes over the file. */
export async function recordStagedKeys(tx: Db, { execution }: ImportRunEffects): Promise<void> {
  await sql`
    insert into import_keys as k (execution, key, ordinal)
    select ${execution}, i.key, max(i.ordinal) from ${importStagingTable} i group by i.key
    on conflict (execution, key) do update set ordinal = greatest(k.ordinal, excluded.ordinal)`.execute(tx)
}

/** A batch whose accepted lines stand in the staging table, and what is done with it. */
interface BatchWork {
  effects: ImportRunEffects
  batch: LineBatch
  /** Set when none of the batch before was known: contacts are not looked for first. */
  expectsNew: boolean
}

/**
 * Writes the contacts of a batch, their memberships and red list entries, and the rejects. Gives the counts, and whether
 * none of the contacts was there before.
 */
export async function writeContactBatch(
  tx: Db,
  shape: ContactShape,
  { effects, batch, expectsNew }: BatchWork,
  writing: ContactWriteContext,
): Promise<{ counts: ImportBatchCounts; isNew: boolean }> {
  const batchCounts = {
    created: 0,
    updated: 0,
    rejected: batch.rejected,
    duplicates: batch.duplicates,
    skipped: 0,
    blocked: 0,
  }
  await storeLineRejects(tx, effects, batch)
  if (batch.accepted === 0) return { counts: batchCounts, isNew: expectsNew }
  const now = new Date(writing.clock.now())
  const { execution, empties } = effects
  const stagedWrite: StagedContactWrite = {
    staging: importStagingTable,
    execution,
    empties,
    now,
    also: buildSideEffects(effects, shape, now),
  }
  const superseded = effects.duplicates === 'last' ? await rejectSupersededLines(tx, shape, effects) : 0
  const { created: createdCount, blocked: blockedCount } = await createStagedContacts(tx, shape, stagedWrite, {
    expectsNew,
  })
  batchCounts.created = createdCount
  batchCounts.blocked = blockedCount
  await restoreStagedRedLists(tx, shape, importStagingTable, writing)
  batchCounts.duplicates += superseded
  const knownCount = batch.accepted - superseded - createdCount
  if (knownCount === 0) return { counts: batchCounts, isNew: true }
  // Where the last line counts, the others have been rejected.
  const repeatedCount = effects.duplicates === 'last' ? 0 : await rejectRepeatedContacts(tx, shape, effects)
  batchCounts.updated = effects.updateExisting ? await updateStagedContacts(tx, shape, stagedWrite) : 0
  batchCounts.blocked += await applyStagedSideEffects(tx, shape, stagedWrite)
  batchCounts.duplicates += repeatedCount
  batchCounts.skipped = knownCount - batchCounts.updated - repeatedCount
  return { counts: batchCounts, isNew: false }
}

/**
 * Notes the contacts that the run meets for the first time. The other known lines, whose contact the run itself created
 * or met before, are duplicates: lists them, and takes them out. A dry run, which creates none, notes every key.
 */
export async function rejectRepeatedContacts(tx: Db, shape: ContactShape, effects: ImportRunEffects): Promise<number> {
  const { execution, duplicates, dryRun } = effects
  const isExisting = dryRun ? sql`true` : sql`i.known is not null`
  const isForeign = dryRun ? sql`true` : sql`i.creator is distinct from ${execution}`
  const { rows } = await sql<{ doubled: number }>`
    with met as (
      insert into import_keys (execution, key, ordinal)
      select ${execution}, i.key, i.ordinal from ${importStagingTable} i
      where ${isExisting} and ${isForeign}
      on conflict do nothing returning ordinal),
    doubled as (
      delete from ${importStagingTable} i where ${isExisting} and not exists (select from met m where m.ordinal = i.ordinal)
      returning i.ordinal, i.line, i.unicity, i.key),
    rejects as (
      insert into import_rejects (execution, ordinal, position, line, reason, column_name, content, key)
      select ${execution}, d.ordinal, 0, d.line, 'duplicate', ${formatUnicityColumn(shape)}, d.unicity, d.key
      from doubled d where ${duplicates !== 'ignore'})
    select count(*) as doubled from doubled`.execute(tx)
  return rows[0]?.doubled ?? 0
}

/** Lists the lines which a later one of the same key supersedes, and takes them out; gives their number. */
export async function rejectSupersededLines(
  tx: Db,
  shape: ContactShape,
  { execution }: ImportRunEffects,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with superseded as (
      delete from ${importStagingTable} i using import_keys k
      where k.execution = ${execution} and k.key = i.key and k.ordinal > i.ordinal
      returning i.*)
    insert into import_rejects (execution, ordinal, position, line, reason, column_name, content, key)
    select ${execution}, s.ordinal, 0, s.line, 'duplicate', ${formatUnicityColumn(shape)}, s.unicity, s.key
    from superseded s`.execute(tx)
  return Number(numAffectedRows)
}

export async function storeLineRejects(tx: Db, { execution }: ImportRunEffects, { rejects }: LineBatch): Promise<void> {
  if (rejects === '[]') return
  await sql`
    insert into import_rejects (execution, ordinal, position, line, reason, column_name, content, key)
    select ${execution}, r.ordinal, r.position, r.line, r.reason, r.column, r.content, r.key
    from json_to_recordset(${rejects}::json)
      as r(ordinal bigint, position integer, line bigint, reason text, "column" text, content text, key text)`.execute(
    tx,
  )
}

/**
 * Makes a segment hold exactly the contacts that the run has met, and forgets what the run noted for itself.
 * Contacts deleted meanwhile are left out.
 */
export async function finalizeImportEffects(
  tx: Db,
  { execution, account, segment, dryRun }: ImportRunEffects,
): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  if (segment?.isEmptied && !dryRun) {
    await replaceSegmentMembers(
      tx,
      account,
      segment.id,
      sql`(select contact from import_members where execution = ${execution})`,
    )
  }
  await purgeRunNotes(tx, execution)
}

/** Forgets what a run noted for itself: it has ended. */
export async function purgeRunNotes(tx: Db, execution: number): Promise<void> {
  await sql`delete from import_keys where execution = ${execution}`.execute(tx)
  await sql`delete from import_members where execution = ${execution}`.execute(tx)
}
