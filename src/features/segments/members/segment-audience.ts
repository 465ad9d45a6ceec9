import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import type { SegmentCriteria } from '../criteria/criteria-types.ts'
import type { CriterionSql } from '../criteria/criterion-columns.ts'
import {
  type CriteriaEvaluationScope,
  countSegmentLeaves,
  listSegmentReferences,
  loadCriteriaContext,
} from '../criteria/definitions.ts'
import { buildFormulaCondition } from '../criteria/formula.ts'
import type { CriteriaContext, SegmentDefinition } from '../criteria/leaf-kind.ts'
import { buildCriteriaFormula, buildSegmentFormula, nameSharedSegment } from '../criteria/leaves.ts'

export interface SegmentAudience {
  /** Contacts of any of these. */
  selected: readonly number[]
  /** Their contacts are taken out. */
  excluded: readonly number[]
}

/** Leaves of one statement: each has a few parameters, of which there are 65,535 at most. */
const MAX_STATEMENT_LEAVES = 5000

/** Segments so ordered that each comes after those it refers to. */
function sortByReference(ids: Iterable<number>, { segments }: CriteriaContext): SegmentDefinition[] {
  const sortedSegments = new Map<number, SegmentDefinition>()
  const visited = new Set<number>()
  function addSegment(id: number): void {
    const segment = segments.get(id)
    if (!segment || visited.has(id)) return
    visited.add(id)
    for (const reference of listSegmentReferences(segment)) addSegment(reference)
    sortedSegments.set(id, segment)
  }
  for (const id of ids) addSegment(id)
  return [...sortedSegments.values()]
}

/** `with segment_41 as (...), ...`: the members of shared segments, among all contacts or one. */
function buildSharedParts(context: CriteriaContext, of: CriterionSql): CriterionSql {
  const { account } = context
  const sharedSegments = sortByReference(context.shared, context).filter(({ id }) => context.shared.has(id))
  if (sharedSegments.length === 0) return sql``
  const definitions = sharedSegments.map(
    (segment) => sql`${nameSharedSegment(segment.id)} as materialized (
      select c.id as contact from contacts c
      where c.account = ${account} and ${of} and ${buildFormulaCondition(buildSegmentFormula(segment, context), account)})`,
  )
  return sql`with ${sql.join(definitions)}`
}

/** Contacts that criteria select, for a statement of which they are a part. */
export interface CriteriaSelection {
  /** The part before the statement: `with …`, or nothing. */
  shared: CriterionSql
  /** The condition on `contacts c`; that they are of the account is one more. */
  condition: CriterionSql
}

/** The contacts that criteria select when the statement runs. `criteria`: as returned by `parseCriteria`. Throws `event-history-away`. */
export async function loadCriteriaSelection(
  db: Db,
  account: AccountId,
  criteria: SegmentCriteria,
  asking: CriteriaEvaluationScope,
): Promise<CriteriaSelection> {
  const context = await loadCriteriaContext(db, account, { criteria }, asking)
  return {
    shared: buildSharedParts(context, sql`true`),
    condition: buildFormulaCondition(buildCriteriaFormula(criteria, context), account),
  }
}

/**
 * A select of one column, "contact": who criteria select at the time it is run, each once, in no order.
 * `criteria` as `parseCriteria` gave them. Throws `event-history-away`.
 */
export async function loadMatchingContacts(
  db: Db,
  account: AccountId,
  criteria: SegmentCriteria,
  asking: CriteriaEvaluationScope,
): Promise<RawBuilder<{ contact: number }>> {
  const { shared: sharedParts, condition: matchCondition } = await loadCriteriaSelection(db, account, criteria, asking)
  return sql<{ contact: number }>`
    ${sharedParts}
    select c.id as contact from contacts c
    where c.account = ${account} and ${matchCondition}`
}

/**
 * A select of one column, "contact": the union of the selected segments without the union of the excluded ones, static
 * and dynamic, each contact once, in no order. It is one statement on live data, parents and nested segments included;
 * in one about a single contact (`where contact = ...`) indexes are used. A segment that does not exist has no members.
 * Throws `event-history-away`.
 */
export function loadSegmentAudience(
  db: Db,
  account: AccountId,
  { selected, excluded }: SegmentAudience,
  asking: CriteriaEvaluationScope,
): Promise<RawBuilder<{ contact: number }>> {
  const toSegmentLeaf = (segment: number): SegmentCriteria => ({ type: 'segment', segment })
  return loadMatchingContacts(
    db,
    account,
    { all: [{ any: selected.map(toSegmentLeaf) }, { none: excluded.map(toSegmentLeaf) }] },
    asking,
  )
}

/** Throws notFound for the first unknown segment. */
export async function requireSegments(db: Db, account: AccountId, segments: readonly number[]): Promise<void> {
  if (segments.length === 0) return
  const { rows } = await sql<{ id: number }>`
    select id from segments where account = ${account} and id = any(${segments}::integer[])`.execute(db)
  const unknownId = segments.find((id) => !rows.some((row) => row.id === id))
  if (unknownId !== undefined) throw notFoundProblem('segment', unknownId)
}

/** Segments in groups, each for one statement of acceptable length. */
function groupByLeaves(segments: readonly SegmentDefinition[]): SegmentDefinition[][] {
  const groups: SegmentDefinition[][] = [[]]
  let leafCount = 0
  for (const segment of segments) {
    const segmentLeaves = segment.criteria ? countSegmentLeaves(segment.criteria) : 0
    leafCount += segmentLeaves
    if (leafCount > MAX_STATEMENT_LEAVES) {
      groups.push([])
      leafCount = segmentLeaves
    }
    groups.at(-1)?.push(segment)
  }
  return groups
}

/**
 * The dynamic segments that a contact is in now, ascending: one statement, which looks each segment up for this contact
 * alone. (Several for an account whose criteria have thousands of leaves.)
 */
export async function findDynamicSegments(db: Db, account: AccountId, contact: number, now: number): Promise<number[]> {
  const loadedContext = await loadCriteriaContext(db, account, { segments: 'all' }, { now, among: [contact] })
  const dynamicSegments = [...loadedContext.segments.values()].filter(({ type }) => type === 'dynamic')
  const matchingIds: number[] = []
  for (const group of groupByLeaves(dynamicSegments)) {
    const groupSegments = sortByReference(
      group.map(({ id }) => id),
      loadedContext,
    ).filter(({ type }) => type === 'dynamic')
    if (groupSegments.length === 0) continue
    const groupContext: CriteriaContext = { ...loadedContext, shared: new Set(groupSegments.map(({ id }) => id)) }
    const membershipSelects = group.map(({ id }) => sql`select ${sql.lit(id)} as id from ${nameSharedSegment(id)}`)
    const { rows } = await sql<{ id: number }>`
      ${buildSharedParts(groupContext, sql`c.id = ${contact}`)} ${sql.join(membershipSelects, sql` union all `)}`.execute(
      db,
    )
    matchingIds.push(...rows.map(({ id }) => id))
  }
  return matchingIds.toSorted((a, b) => a - b)
}
