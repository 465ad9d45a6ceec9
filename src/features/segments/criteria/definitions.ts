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

/** Up to this number of leaves, expanded criteria are written out; in larger ones a repeated segment is evaluated once. */
const MAX_EXPANDED_LEAVES = 1000

/** The leaves of criteria, references not expanded. */
function listLeaves(criteria: SegmentCriteria): SegmentCriteriaLeaf[] {
  if ('all' in criteria) return criteria.all.flatMap(listLeaves)
  if ('any' in criteria) return criteria.any.flatMap(listLeaves)
  if ('none' in criteria) return criteria.none.flatMap(listLeaves)
  return [criteria]
}

/** The segments that criteria name, parents not included. */
export function findNamedSegments(criteria: SegmentCriteria): number[] {
  return listLeaves(criteria).flatMap((leaf) => (leaf.type === 'segment' ? [leaf.segment] : []))
}

/** Counts the leaves of criteria, references not expanded. */
export function countSegmentLeaves(criteria: SegmentCriteria): number {
  return listLeaves(criteria).length
}

/** The segments that a segment refers to: those of its criteria, and its parent. */
export function listSegmentReferences({ criteria, parent }: SegmentDefinition): number[] {
  return [...(criteria ? findNamedSegments(criteria) : []), ...(parent === null ? [] : [parent])]
}

/** Leaves of each segment with all its references expanded. */
function createSizeCounter(segments: ReadonlyMap<number, SegmentDefinition>): (id: number) => number {
  const sizesById = new Map<number, number>()
  function countExpandedLeaves(id: number): number {
    const segment = segments.get(id)
    const countedSize = sizesById.get(id)
    if (!segment || countedSize !== undefined) return countedSize ?? 1
    // Counted before its references are, so that even a cycle would end.
    sizesById.set(id, 1)
    const ownSize = segment.criteria ? countSegmentLeaves(segment.criteria) : 1
    const size = listSegmentReferences(segment).reduce(
      (sum, reference) => sum + countExpandedLeaves(reference),
      ownSize,
    )
    sizesById.set(id, size)
    return size
  }
  return countExpandedLeaves
}

/** The dynamic segments that are named more than once, when expanding them all would make too long a statement. */
function findSharedSegments(segments: ReadonlyMap<number, SegmentDefinition>, roots: readonly number[]): Set<number> {
  const countExpandedLeaves = createSizeCounter(segments)
  if (roots.reduce((sum, root) => sum + countExpandedLeaves(root), 0) <= MAX_EXPANDED_LEAVES) return new Set()
  const referencedIds = [...roots, ...[...segments.values()].flatMap(listSegmentReferences)]
  const isShared = (id: number, place: number) =>
    referencedIds.indexOf(id) < place && segments.get(id)?.type === 'dynamic'
  return new Set(referencedIds.filter(isShared))
}

interface DefinitionsRow {
  settings: Partial<ContactSettings> | null
  fields: Record<string, FieldType> | null
  segments: SegmentDefinition[] | null
}

/** The segments to load, with those that they refer to; `all`: every dynamic one of the account. */
export type SegmentsToLoad = readonly number[] | 'all'

async function loadDefinitionsRow(
  db: Db,
  account: AccountId,
  segmentsToLoad: SegmentsToLoad,
): Promise<DefinitionsRow | undefined> {
  const rootCondition =
    segmentsToLoad === 'all' ? sql`s.type = 'dynamic'` : sql`s.id = any(${segmentsToLoad}::integer[])`
  const { rows } = await sql<DefinitionsRow>`
    with recursive links as (
      select segment, refers_to from segment_references where account = ${account}
      union all
      select id, parent from segments where account = ${account} and parent is not null
    ), reached (id) as (
      select s.id from segments s where s.account = ${account} and ${rootCondition}
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
  segmentsToLoad: SegmentsToLoad,
  now: number,
): Promise<Omit<CriteriaContext, 'events'>> {
  const row = await loadDefinitionsRow(db, account, segmentsToLoad)
  const segments = new Map((row?.segments ?? []).map((segment) => [segment.id, segment]))
  const fields = Object.entries(row?.fields ?? {}).map(([id, type]): [number, FieldType] => [Number(id), type])
  return {
    account,
    now,
    zone: toContactSettings(row?.settings ?? null).timeZone,
    fields: new Map(fields),
    segments,
    shared: findSharedSegments(segments, segmentsToLoad === 'all' ? [...segments.keys()] : segmentsToLoad),
  }
}

/** Input of an evaluation: criteria, or segments with all that they refer to. */
export type CriteriaToEvaluate = { criteria: SegmentCriteria } | { segments: SegmentsToLoad }

/**
 * Time of evaluation of criteria, in milliseconds, and optionally the only contacts considered: events of others are then not looked up.
 */
export type CriteriaEvaluationScope = number | { now: number; among: readonly number[] }

/** Everything that criteria are evaluated by: their definitions, and who has the events they ask for. Throws `event-history-away`. */
export async function loadCriteriaContext(
  db: Db,
  account: AccountId,
  evaluated: CriteriaToEvaluate,
  asking: CriteriaEvaluationScope,
): Promise<CriteriaContext> {
  const { now, among } = typeof asking === 'number' ? { now: asking, among: undefined } : asking
  const evaluatedCriteria = 'criteria' in evaluated ? [evaluated.criteria] : []
  const segmentsToLoad = 'criteria' in evaluated ? findNamedSegments(evaluated.criteria) : evaluated.segments
  const context = await loadSegmentDefinitions(db, account, segmentsToLoad, now)
  const allCriteria = [
    ...evaluatedCriteria,
    ...[...context.segments.values()].flatMap(({ criteria }) => criteria ?? []),
  ]
  const eventLeaves = allCriteria.flatMap(listLeaves).filter((leaf) => leaf.type === 'event')
  const eventQueries = eventLeaves.map((leaf) => buildEventCountCriterion(leaf, context).asked)
  return { ...context, events: await prepareEventCriteria(db, eventQueries, among) }
}
