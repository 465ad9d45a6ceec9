import { sql } from 'kysely'
import { bounceLeafKind, redListLeafKind, subscriptionLeafKind } from './contact-leaves.ts'
import type {
  SegmentCriteria,
  SegmentCriteriaLeafOf,
  SegmentCriteriaLeafType,
  SegmentReferenceLeaf,
} from './criteria-types.ts'
import { eventLeafKind } from './event-leaf.ts'
import { createInstantLeafKind, fieldLeafKind } from './field-leaf.ts'
import { type CriteriaFormula, negateFormula, noContactFormula } from './formula.ts'
import type { CriteriaContext, CriteriaLeafKind, SegmentDefinition } from './leaf-kind.ts'
import { childCriteriaPosition, isCriteriaMemberSet, parseCriteriaInteger, parseCriteriaWord } from './reading.ts'

const INT32: readonly [number, number] = [1, 0x7fffffff]

const segmentLeaf: CriteriaLeafKind<SegmentReferenceLeaf> = {
  read(given, place) {
    const at = childCriteriaPosition(place, 'segment')
    const segment = parseCriteriaInteger(given['segment'], INT32, at)
    if (segment !== undefined) place.reading.segments.push({ id: segment, pointer: at.pointer })
    const operator = isCriteriaMemberSet(given['operator'])
      ? parseCriteriaWord(given['operator'], ['in', 'notIn'] as const, childCriteriaPosition(place, 'operator'))
      : undefined
    return { type: 'segment', segment: segment ?? 0, ...(operator && { operator }) }
  },
  formula({ segment, operator }, context) {
    const members = buildMembersFormula(segment, context)
    return operator === 'notIn' ? negateFormula(members) : members
  },
}

/** Every type of leaf. */
export const criteriaLeafKinds: { [Type in SegmentCriteriaLeafType]: CriteriaLeafKind<SegmentCriteriaLeafOf<Type>> } = {
  field: fieldLeafKind,
  segment: segmentLeaf,
  redList: redListLeafKind,
  bounce: bounceLeafKind,
  event: eventLeafKind,
  subscription: subscriptionLeafKind,
  creationDate: createInstantLeafKind('creationDate'),
  lastUpdateDate: createInstantLeafKind('lastUpdateDate'),
}

function leafFormula<Type extends SegmentCriteriaLeafType>(
  leaf: SegmentCriteriaLeafOf<Type>,
  context: CriteriaContext,
): CriteriaFormula {
  return criteriaLeafKinds[leaf.type].formula(leaf, context)
}

/** The formula of criteria; the segments they name must be in the context. */
export function buildCriteriaFormula(criteria: SegmentCriteria, context: CriteriaContext): CriteriaFormula {
  const each = (nodes: readonly SegmentCriteria[]) => nodes.map((node) => buildCriteriaFormula(node, context))
  if ('all' in criteria) return { type: 'and', parts: each(criteria.all) }
  if ('any' in criteria) return { type: 'or', parts: each(criteria.any) }
  if ('none' in criteria) return negateFormula({ type: 'or', parts: each(criteria.none) })
  return leafFormula(criteria, context)
}

/** Who a dynamic segment selects: none without criteria, and of a parent only members. */
export function buildSegmentFormula(
  { criteria, parent }: SegmentDefinition,
  context: CriteriaContext,
): CriteriaFormula {
  if (criteria === null) return noContactFormula
  const own = buildCriteriaFormula(criteria, context)
  return parent === null ? own : { type: 'and', parts: [buildMembersFormula(parent, context), own] }
}

/** The name of a shared segment within a statement. */
export function nameSharedSegment(segment: number) {
  return sql.ref(`segment_${segment}`)
}

/** Who is in a segment: none when there is no such segment. */
export function buildMembersFormula(id: number, context: CriteriaContext): CriteriaFormula {
  const segment = context.segments.get(id)
  if (!segment) return noContactFormula
  if (segment.type === 'static') {
    // Not bound to the account, so that the index alone answers: the segment was found among those of the account.
    return {
      type: 'set',
      contacts: sql`select m.contact from segment_members m where m.segment = ${id}`,
      negated: false,
    }
  }
  return context.shared.has(id)
    ? { type: 'set', contacts: sql`select contact from ${nameSharedSegment(id)}`, negated: false }
    : buildSegmentFormula(segment, context)
}
