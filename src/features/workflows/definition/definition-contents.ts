import { MAX_INT32 } from '../../../lib/int32.ts'
import type { LocatedExpression } from '../../../scripting/expressions/compile.ts'
import type { DefinitionFlaw } from '../../../scripting/flaws.ts'
import type { CompilableCall, NodeMentionKind, ReferenceKind } from '../../../scripting/schemas/shape.ts'
import { visitWorkflowDefinition, type WorkflowDefinition } from './workflow-definition.ts'

/** All that is in a definition, each with the pointer to it. */
export interface WorkflowContents {
  expressions: LocatedExpression[]
  targets: { node: string; path: string }[]
  mentions: { node: string; path: string; must: NodeMentionKind }[]
  references: { kind: ReferenceKind; id: string | number; path: string }[]
  /** Compilables that are executed. */
  calls: CompilableCall[]
  criteria: { criteria: unknown; path: string }[]
  modules: { source: string; path: string }[]
  addresses: { url: string; path: string }[]
  /** Flaws of single parts, such as missing members. */
  flaws: DefinitionFlaw[]
}

/** Collects what is in a definition. */
export function collectWorkflowContents(definition: WorkflowDefinition): WorkflowContents {
  const contents: WorkflowContents = {
    expressions: [],
    targets: [],
    mentions: [],
    references: [],
    calls: [],
    criteria: [],
    modules: [],
    addresses: [],
    flaws: [],
  }
  visitWorkflowDefinition(definition, {
    expression: (expression, path, position) => contents.expressions.push({ expression, path, position }),
    target: (node, path) => contents.targets.push({ node, path }),
    mention: (node, path, must) => contents.mentions.push({ node, path, must }),
    reference: (kind, id, path) => contents.references.push({ kind, id, path }),
    call: (call) => contents.calls.push(call),
    criteria: (criteria, path) => contents.criteria.push({ criteria, path }),
    module: (source, path) => contents.modules.push({ source, path }),
    address: (url, path) => contents.addresses.push({ url, path }),
    flaw: (flaw) => contents.flaws.push(flaw),
  })
  return contents
}

/** The ids of segments that stand in criteria. */
export function listCriteriaSegmentIds(criteria: unknown): number[] {
  if (Array.isArray(criteria)) return criteria.flatMap(listCriteriaSegmentIds)
  if (typeof criteria !== 'object' || criteria === null) return []
  const { type, segment } = criteria as { type?: unknown; segment?: unknown }
  if (type === 'segment')
    return typeof segment === 'number' && Number.isInteger(segment) && segment > 0 ? [segment] : []
  return Object.values(criteria).flatMap(listCriteriaSegmentIds)
}

/** Every segment that a definition names, in criteria too. */
export function listWorkflowSegments({ references, criteria }: WorkflowContents): number[] {
  const referencedIds = references.flatMap(({ kind, id }) =>
    kind === 'segment' || kind === 'staticSegment' ? Number(id) : [],
  )
  const segmentIds = [
    ...referencedIds,
    ...criteria.flatMap(({ criteria: criteriaValue }) => listCriteriaSegmentIds(criteriaValue)),
  ]
  return [...new Set(segmentIds)].filter((id) => id <= MAX_INT32)
}
