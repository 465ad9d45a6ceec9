import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { toContactSettings } from '../../contacts/fields/contact-settings.ts'
import type { ContactSettings } from '../../contacts/fields/contact-settings-schemas.ts'
import type { FieldType } from '../../contacts/fields/field-schemas.ts'
import { prepareEventCriteria } from '../../events/history/prepared-criteria.ts'
import type { SegmentCriteria, SegmentCriteriaLeaf } from './criteria-types.ts'
import { buildEventCountCriterion } from './event-leaf.ts'
import type { CriteriaContext, SegmentDefinition } from './leaf-kind.ts'

/** Expanded criteria of so many leaves are written out; in larger ones a repeated segment is evaluated once. */
const MAX_EXPANDED = 1000

/** The leaves of criteria, references not expanded. */
function leavesOf(criteria: SegmentCriteria): SegmentCriteriaLeaf[] {
  if ('all' in criteria) return criteria.all.flatMap(leavesOf)
  if ('any' in criteria) return criteria.any.flatMap(leavesOf)
  if ('none' in criteria) return criteria.none.flatMap(leavesOf)
  return [criteria]
}

/** The segments that criteria name, parents not included. */
export function findNamedSegments(criteria: SegmentCriteria): number[] {
  return leavesOf(criteria).flatMap((leaf) => (leaf.type === 'segment' ? [leaf.segment] : []))
}

/** How many leaves criteria have, references not expanded. */
export function countSegmentLeaves(criteria: SegmentCriteria): number {
  return leavesOf(criteria).length
}

/** The segments that a segment refers to: those of its criteria, and its parent. */
export function listSegmentReferences({ criteria, parent }: SegmentDefinition): number[] {
  return [...(criteria ? findNamedSegments(criteria) : []), ...(parent === null ? [] : [parent])]
}

/** Leaves of each segment with all its references expanded. */
function expandedSizes(segments: ReadonlyMap<number, SegmentDefinition>): (id: number) => number {
  const sizes = new Map<number, number>()
  function sizeOf(id: number): number {
    const segment = segments.get(id)
    const known = sizes.get(id)
    if (!segment || known !== undefined) return known ?? 1
    // Counted before its references are, so that even a cycle would end.
    sizes.set(id, 1)
    const own = segment.criteria ? countSegmentLeaves(segment.criteria) : 1
    const size = listSegmentReferences(segment).reduce((sum, reference) => sum + sizeOf(reference), own)
    sizes.set(id, size)
    return size
  }
  return sizeOf
}

/** The dynamic segments that are named more than once, when expanding them all would make too long a statement. */
function sharedOf(segments: ReadonlyMap<number, SegmentDefinition>, roots: readonly number[]): Set<number> {
  const sizeOf = expandedSizes(segments)
  if (roots.reduce((sum, root) => sum + sizeOf(root), 0) <= MAX_EXPANDED) return new Set()
  const named = [...roots, ...[...segments.values()].flatMap(listSegmentReferences)]
  const isShared = (id: number, place: number) => named.indexOf(id) < place && segments.get(id)?.type === 'dynamic'
  return new Set(named.filter(isShared))
}

interface Row {
  settings: Partial<ContactSettings> | null
  fields: Record<string, FieldType> | null
  segments: SegmentDefinition[] | null
}

/** Which segments are loaded, with those that they refer to; `all`: every dynamic one of the account. */
export type SegmentsToLoad = readonly number[] | 'all'

async function loadRow(db: Db, account: AccountId, wanted: SegmentsToLoad): Promise<Row | undefined> {
  const roots = wanted === 'all' ? sql`s.type = 'dynamic'` : sql`s.id = any(${wanted}::integer[])`
  const { rows } = await sql<Row>`
    with recursive links as (
      select segment, refers_to from segment_references where account = ${account}
      union all
      select id, parent from segments where account = ${account} and parent is not null
    ), reached (id) as (
      select s.id from segments s where s.account = ${account} and ${roots}
      union
      select l.refers_to from reached r join links l on l.segment = r.id
    )
    select a.settings->'contacts' as settings,
      (select json_object_agg(f.id, f.type) from fields f where f.account = a.id) as fields,
      (select json_agg(json_build_object('id', s.id, 'type', s.type, 'parent', s.parent, 'criteria', s.criteria) order by s.id)
        from segments s join reached using (id) where s.account = a.id) as segments
    from accounts a where a.id = ${account}`.execute(db)
  return rows[0]
}

/** Segments, and what their criteria are evaluated by but for events, in one statement. */
export async function loadSegmentDefinitions(
  db: Db,
  account: AccountId,
  wanted: SegmentsToLoad,
  now: number,
): Promise<Omit<CriteriaContext, 'events'>> {
  const row = await loadRow(db, account, wanted)
  const segments = new Map((row?.segments ?? []).map((segment) => [segment.id, segment]))
  const fields = Object.entries(row?.fields ?? {}).map(([id, type]): [number, FieldType] => [Number(id), type])
  return {
    account,
    now,
    zone: toContactSettings(row?.settings ?? null).timeZone,
    fields: new Map(fields),
    segments,
    shared: sharedOf(segments, wanted === 'all' ? [...segments.keys()] : wanted),
  }
}

/** What is evaluated: criteria, or segments with all that they refer to. */
export type CriteriaToEvaluate = { criteria: SegmentCriteria } | { segments: SegmentsToLoad }

/** When criteria are evaluated, in milliseconds, and of which contacts alone: what others have done is then not looked for. */
export type CriteriaEvaluationScope = number | { now: number; among: readonly number[] }

/** Everything that criteria are evaluated by: their definitions, and who has the events they ask for. Throws `event-history-away`. */
export async function loadCriteriaContext(
  db: Db,
  account: AccountId,
  evaluated: CriteriaToEvaluate,
  asking: CriteriaEvaluationScope,
): Promise<CriteriaContext> {
  const { now, among } = typeof asking === 'number' ? { now: asking, among: undefined } : asking
  const own = 'criteria' in evaluated ? [evaluated.criteria] : []
  const wanted = 'criteria' in evaluated ? findNamedSegments(evaluated.criteria) : evaluated.segments
  const context = await loadSegmentDefinitions(db, account, wanted, now)
  const all = [...own, ...[...context.segments.values()].flatMap(({ criteria }) => criteria ?? [])]
  const leaves = all.flatMap(leavesOf).filter((leaf) => leaf.type === 'event')
  const asked = leaves.map((leaf) => buildEventCountCriterion(leaf, context).asked)
  return { ...context, events: await prepareEventCriteria(db, asked, among) }
}
