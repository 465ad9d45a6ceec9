import { sql } from 'kysely'
import { bounceLeaf, redListLeaf, subscriptionLeaf } from './contact-leaves.ts'
import type { Criteria, LeafOf, LeafType, SegmentLeaf } from './criteria-types.ts'
import { eventLeaf } from './event-leaf.ts'
import { fieldLeaf, instantLeaf } from './field-leaf.ts'
import { type Formula, negate, none } from './formula.ts'
import type { CriteriaContext, Definition, LeafKind } from './leaf-kind.ts'
import { below, isGiven, readInteger, readWord } from './reading.ts'

const INT32: readonly [number, number] = [1, 0x7fffffff]

const segmentLeaf: LeafKind<SegmentLeaf> = {
  read(given, place) {
    const at = below(place, 'segment')
    const segment = readInteger(given['segment'], INT32, at)
    if (segment !== undefined) place.reading.segments.push({ id: segment, pointer: at.pointer })
    const operator = isGiven(given['operator'])
      ? readWord(given['operator'], ['in', 'notIn'] as const, below(place, 'operator'))
      : undefined
    return { type: 'segment', segment: segment ?? 0, ...(operator && { operator }) }
  },
  formula({ segment, operator }, context) {
    const members = membersFormula(segment, context)
    return operator === 'notIn' ? negate(members) : members
  },
}

/** Every type of leaf. */
export const leafKinds: { [Type in LeafType]: LeafKind<LeafOf<Type>> } = {
  field: fieldLeaf,
  segment: segmentLeaf,
  redList: redListLeaf,
  bounce: bounceLeaf,
  event: eventLeaf,
  subscription: subscriptionLeaf,
  creationDate: instantLeaf('creationDate'),
  lastUpdateDate: instantLeaf('lastUpdateDate'),
}

function leafFormula<Type extends LeafType>(leaf: LeafOf<Type>, context: CriteriaContext): Formula {
  return leafKinds[leaf.type].formula(leaf, context)
}

/** The formula of criteria; the segments they name must be in the context. */
export function formulaOf(criteria: Criteria, context: CriteriaContext): Formula {
  const each = (nodes: readonly Criteria[]) => nodes.map((node) => formulaOf(node, context))
  if ('all' in criteria) return { type: 'and', parts: each(criteria.all) }
  if ('any' in criteria) return { type: 'or', parts: each(criteria.any) }
  if ('none' in criteria) return negate({ type: 'or', parts: each(criteria.none) })
  return leafFormula(criteria, context)
}

/** Who a dynamic segment selects: none without criteria, and of a parent only members. */
export function definitionFormula({ criteria, parent }: Definition, context: CriteriaContext): Formula {
  if (criteria === null) return none
  const own = formulaOf(criteria, context)
  return parent === null ? own : { type: 'and', parts: [membersFormula(parent, context), own] }
}

/** The name of a shared segment within a statement. */
export function sharedName(segment: number) {
  return sql.ref(`segment_${segment}`)
}

/** Who is in a segment: none when there is no such segment. */
export function membersFormula(id: number, context: CriteriaContext): Formula {
  const segment = context.segments.get(id)
  if (!segment) return none
  if (segment.type === 'static') {
    // Not bound to the account, so that the index alone answers: the segment was found among those of the account.
    return {
      type: 'set',
      contacts: sql`select m.contact from segment_members m where m.segment = ${id}`,
      negated: false,
    }
  }
  return context.shared.has(id)
    ? { type: 'set', contacts: sql`select contact from ${sharedName(id)}`, negated: false }
    : definitionFormula(segment, context)
}
