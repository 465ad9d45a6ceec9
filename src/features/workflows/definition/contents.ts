import type { PlacedExpression } from '../../../scripting/expressions/compile.ts'
import type { Flaw } from '../../../scripting/flaws.ts'
import type { Call, Mention, ReferenceKind } from '../../../scripting/schemas/shape.ts'
import { type Definition, visitDefinition } from './definition.ts'

/** All that is in a definition, each with the pointer to it. */
export interface Contents {
  expressions: PlacedExpression[]
  targets: { node: string; path: string }[]
  mentions: { node: string; path: string; must: Mention }[]
  references: { kind: ReferenceKind; id: string | number; path: string }[]
  /** Compilables that are executed. */
  calls: Call[]
  criteria: { criteria: unknown; path: string }[]
  modules: { source: string; path: string }[]
  addresses: { url: string; path: string }[]
  /** Of what stands by itself: members that are missing, and such. */
  flaws: Flaw[]
}

/** Collects what is in a definition. */
export function contentsOf(definition: Definition): Contents {
  const contents: Contents = {
    ...{
      expressions: [],
      targets: [],
      mentions: [],
      references: [],
      calls: [],
      criteria: [],
      modules: [],
      addresses: [],
      flaws: [],
    },
  }
  visitDefinition(definition, {
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
export function segmentsIn(criteria: unknown): number[] {
  if (Array.isArray(criteria)) return criteria.flatMap(segmentsIn)
  if (typeof criteria !== 'object' || criteria === null) return []
  const { type, segment } = criteria as { type?: unknown; segment?: unknown }
  if (type === 'segment')
    return typeof segment === 'number' && Number.isInteger(segment) && segment > 0 ? [segment] : []
  return Object.values(criteria).flatMap(segmentsIn)
}

/** Every segment that a definition names, in criteria too. */
export function segmentsOf({ references, criteria }: Contents): number[] {
  const named = references.flatMap(({ kind, id }) => (kind === 'segment' || kind === 'staticSegment' ? Number(id) : []))
  const all = [...named, ...criteria.flatMap(({ criteria: one }) => segmentsIn(one))]
  return [...new Set(all)].filter((id) => id <= 0x7fffffff)
}
