import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFound } from '../../../lib/errors/problem.ts'
import type { Criteria } from '../criteria/criteria-types.ts'
import type { Sql } from '../criteria/criterion-columns.ts'
import { type Asking, countLeaves, loadCriteriaContext, referencesOf } from '../criteria/definitions.ts'
import { condition } from '../criteria/formula.ts'
import type { CriteriaContext, Definition } from '../criteria/leaf-kind.ts'
import { definitionFormula, formulaOf, sharedName } from '../criteria/leaves.ts'

export interface Selection {
  /** Contacts of any of these. */
  selected: readonly number[]
  /** Their contacts are taken out. */
  excluded: readonly number[]
}

/** Leaves of one statement: each has a few parameters, of which there are 65,535 at most. */
const MAX_LEAVES = 5000

/** Segments so ordered that each comes after those it refers to. */
function inOrder(ids: Iterable<number>, { segments }: CriteriaContext): Definition[] {
  const ordered = new Map<number, Definition>()
  const visited = new Set<number>()
  function add(id: number): void {
    const segment = segments.get(id)
    if (!segment || visited.has(id)) return
    visited.add(id)
    for (const reference of referencesOf(segment)) add(reference)
    ordered.set(id, segment)
  }
  for (const id of ids) add(id)
  return [...ordered.values()]
}

/** `with segment_41 as (...), ...`: the members of shared segments, among all contacts or one. */
function shared(context: CriteriaContext, of: Sql): Sql {
  const { account } = context
  const named = inOrder(context.shared, context).filter(({ id }) => context.shared.has(id))
  if (named.length === 0) return sql``
  const definitions = named.map(
    (segment) => sql`${sharedName(segment.id)} as materialized (
      select c.id as contact from contacts c
      where c.account = ${account} and ${of} and ${condition(definitionFormula(segment, context), account)})`,
  )
  return sql`with ${sql.join(definitions)}`
}

/** Contacts that criteria select, for a statement of which they are a part. */
export interface Selected {
  /** What goes before the statement: `with …`, or nothing. */
  shared: Sql
  /** The condition on `contacts c`; that they are of the account is one more. */
  condition: Sql
}

/** Who criteria select at the time the statement is run. `criteria` as `readCriteria` gave them. Throws `event-history-away`. */
export async function loadSelected(db: Db, account: AccountId, criteria: Criteria, asking: Asking): Promise<Selected> {
  const context = await loadCriteriaContext(db, account, { criteria }, asking)
  return { shared: shared(context, sql`true`), condition: condition(formulaOf(criteria, context), account) }
}

/**
 * A select of one column, "contact": who criteria select at the time it is run, each once, in no order.
 * `criteria` as `readCriteria` gave them. Throws `event-history-away`.
 */
export async function loadMatching(
  db: Db,
  account: AccountId,
  criteria: Criteria,
  asking: Asking,
): Promise<RawBuilder<{ contact: number }>> {
  const { shared: named, condition: holds } = await loadSelected(db, account, criteria, asking)
  return sql<{ contact: number }>`
    ${named}
    select c.id as contact from contacts c
    where c.account = ${account} and ${holds}`
}

/**
 * A select of one column, "contact": the union of the selected segments without the union of the excluded ones, static
 * and dynamic, each contact once, in no order. It is one statement on live data, parents and nested segments included;
 * in one about a single contact (`where contact = ...`) indexes are used. A segment that does not exist has no members.
 * Throws `event-history-away`.
 */
export function loadAudience(
  db: Db,
  account: AccountId,
  { selected, excluded }: Selection,
  asking: Asking,
): Promise<RawBuilder<{ contact: number }>> {
  const leaf = (segment: number): Criteria => ({ type: 'segment', segment })
  return loadMatching(db, account, { all: [{ any: selected.map(leaf) }, { none: excluded.map(leaf) }] }, asking)
}

/** Throws notFound for the first unknown segment. */
export async function requireSegments(db: Db, account: AccountId, segments: readonly number[]): Promise<void> {
  if (segments.length === 0) return
  const { rows } = await sql<{ id: number }>`
    select id from segments where account = ${account} and id = any(${segments}::integer[])`.execute(db)
  const unknown = segments.find((id) => !rows.some((row) => row.id === id))
  if (unknown !== undefined) throw notFound('segment', unknown)
}

/** Segments in groups, each for one statement of acceptable length. */
function inStatements(segments: readonly Definition[]): Definition[][] {
  const groups: Definition[][] = [[]]
  let leaves = 0
  for (const segment of segments) {
    const own = segment.criteria ? countLeaves(segment.criteria) : 0
    leaves += own
    if (leaves > MAX_LEAVES) {
      groups.push([])
      leaves = own
    }
    groups.at(-1)?.push(segment)
  }
  return groups
}

/**
 * The dynamic segments that a contact is in now, ascending: one statement, which looks each segment up for this contact
 * alone. (Several for an account whose criteria have thousands of leaves.)
 */
export async function dynamicSegmentsOf(db: Db, account: AccountId, contact: number, now: number): Promise<number[]> {
  const loaded = await loadCriteriaContext(db, account, { segments: 'all' }, { now, among: [contact] })
  const dynamic = [...loaded.segments.values()].filter(({ type }) => type === 'dynamic')
  const found: number[] = []
  for (const group of inStatements(dynamic)) {
    const asked = inOrder(
      group.map(({ id }) => id),
      loaded,
    ).filter(({ type }) => type === 'dynamic')
    if (asked.length === 0) continue
    const context: CriteriaContext = { ...loaded, shared: new Set(asked.map(({ id }) => id)) }
    const each = group.map(({ id }) => sql`select ${sql.lit(id)} as id from ${sharedName(id)}`)
    const { rows } = await sql<{ id: number }>`
      ${shared(context, sql`c.id = ${contact}`)} ${sql.join(each, sql` union all `)}`.execute(db)
    found.push(...rows.map(({ id }) => id))
  }
  return found.toSorted((a, b) => a - b)
}
