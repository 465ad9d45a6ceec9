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
import {
  CRITERIA_ID_RANGE,
  childCriteriaPosition,
  isCriteriaMemberSet,
  parseCriteriaInteger,
  parseCriteriaWord,
} from './reading.ts'

const segmentLeafKind: CriteriaLeafKind<SegmentReferenceLeaf> = {
  read(leafInput, place) {
    const segmentPosition = childCriteriaPosition(place, 'segment')
    const segment = parseCriteriaInteger(leafInput['segment'], CRITERIA_ID_RANGE, segmentPosition)
    if (segment !== undefined) place.reading.segments.push({ id: segment, pointer: segmentPosition.pointer })
    const operator = isCriteriaMemberSet(leafInput['operator'])
      ? parseCriteriaWord(leafInput['operator'], ['in', 'notIn'] as const, childCriteriaPosition(place, 'operator'))
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
  segment: segmentLeafKind,
  redList: redListLeafKind,
  bounce: bounceLeafKind,
  event: eventLeafKind,
  subscription: subscriptionLeafKind,
  creationDate: createInstantLeafKind('creationDate'),
  lastUpdateDate: createInstantLeafKind('lastUpdateDate'),
}

function buildLeafFormula<Type extends SegmentCriteriaLeafType>(
  leaf: SegmentCriteriaLeafOf<Type>,
  context: CriteriaContext,
): CriteriaFormula {
  return criteriaLeafKinds[leaf.type].formula(leaf, context)
}

/** The formula of criteria; the segments they name must be in the context. */
export function buildCriteriaFormula(criteria: SegmentCriteria, context: CriteriaContext): CriteriaFormula {
  const buildFormulas = (nodes: readonly SegmentCriteria[]) => nodes.map((node) => buildCriteriaFormula(node, context))
  if ('all' in criteria) return { type: 'and', parts: buildFormulas(criteria.all) }
  if ('any' in criteria) return { type: 'or', parts: buildFormulas(criteria.any) }
  if ('none' in criteria) return negateFormula({ type: 'or', parts: buildFormulas(criteria.none) })
  return buildLeafFormula(criteria, context)
}

/** The contacts that a dynamic segment selects: none without criteria, and only members of a parent. */
export function buildSegmentFormula(
  { criteria, parent }: SegmentDefinition,
  context: CriteriaContext,
): CriteriaFormula {
  if (criteria === null) return noContactFormula
  const criteriaFormula = buildCriteriaFormula(criteria, context)
  return parent === null
    ? criteriaFormula
    : { type: 'and', parts: [buildMembersFormula(parent, context), criteriaFormula] }
}

/** The name of a shared segment within a statement. */
export function nameSharedSegment(segment: number) {
  return sql.ref(`segment_${segment}`)
}

/** The members of a segment: none if the segment does not exist. */
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
