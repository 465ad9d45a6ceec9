import type { LocatedExpression } from '../../../scripting/expressions/compile.ts'
import type { ExpressionConstraints } from '../../../scripting/expressions/expression-types.ts'
import { createFlaw, type DefinitionFlaw } from '../../../scripting/flaws.ts'
import type { CompilableCall, DefinitionVisitor, ReferenceKind } from '../../../scripting/schemas/shape.ts'
import { cursorShape } from '../definition/cursors.ts'
import { type CompilableValue, type PipelineDefinition, visitCompilableValue } from '../definition/definition.ts'
import { CALL_EXPRESSION_ROOTS } from '../definition/expressions.ts'
import { parameterListShape as parametersShape } from '../definition/parameters.ts'
import { pipelineSourceShape } from '../definition/sources.ts'
import { findCursorFlaws, findInMemoryFlaws, findSourceFlaws } from './cursor-flaws.ts'
import { findTypedPathFlaw } from './names.ts'
import {
  inferRowTypes,
  inferSourceType,
  listCallRootTypes,
  type RootTypes,
  type TypeInferenceContext,
} from './row-types.ts'
import { findUnusedParameters } from './unused.ts'
import { ANY_TYPE } from './value-types.ts'

/** All that is in a compilable, each with the pointer to it. */
export interface CompilableContents {
  expressions: LocatedExpression[]
  references: { kind: ReferenceKind; id: string | number; path: string }[]
  criteria: { criteria: unknown; path: string }[]
  modules: { source: string; path: string }[]
  /** Compilables that it reads rows of. */
  calls: CompilableCall[]
  /** Of what stands by itself: members that are missing, and types. */
  flaws: DefinitionFlaw[]
}

const ROOT = '/value'
/** A statement has so many columns and some more. */
const MAX_MEMBERS = 1000

/** Collects what it is told of; names of expressions are those that the roots have. */
function collector(contents: CompilableContents, roots: RootTypes): DefinitionVisitor {
  return {
    expression: (expression, path, position) =>
      contents.expressions.push({
        expression,
        path,
        position: { ...position, faultOf: (names) => findTypedPathFlaw(names, roots) },
      }),
    // Those of compilables are calls.
    reference: (kind, id, path) => void (kind !== 'pipeline' && contents.references.push({ kind, id, path })),
    call: (call) => contents.calls.push(call),
    criteria: (criteria, path) => contents.criteria.push({ criteria, path }),
    module: (source, path) => contents.modules.push({ source, path }),
    flaw: (one) => contents.flaws.push(one),
  }
}

function collectPipeline(
  contents: CompilableContents,
  pipeline: PipelineDefinition,
  facts: TypeInferenceContext,
): void {
  const { source, cursors, parameters } = pipeline
  const call = listCallRootTypes(parameters)
  const types = inferRowTypes(pipeline, facts)
  const at = `${ROOT}/source`
  if (source) {
    pipelineSourceShape.visit?.(source as never, at, collector(contents, call))
    contents.flaws.push(...findSourceFlaws(source, at, call))
  }
  for (const [index, cursor] of cursors.entries()) {
    const path = `${ROOT}/cursors/${index}`
    const { size } = types[index + 1]!.members
    if (size > MAX_MEMBERS)
      contents.flaws.push(
        createFlaw('limit', path, `Its rows have ${size} members: at most ${MAX_MEMBERS} are possible.`),
      )
    const joined = cursor.type === 'join' ? cursor.source : null
    const roots = { ...call, row: types[index]!, other: joined ? inferSourceType(joined, facts) : ANY_TYPE }
    cursorShape.visit?.(cursor as never, path, collector(contents, roots))
    contents.flaws.push(...findCursorFlaws(cursor, path, { roots, row: types[index]!, shape: facts.shape }))
    if (joined) contents.flaws.push(...findSourceFlaws(joined, `${path}/source`, call))
  }
  contents.flaws.push(...findInMemoryFlaws(pipeline, facts.used))
}

/** Collects what is in a compilable. */
export function collectCompilableContents(value: CompilableValue, facts: TypeInferenceContext): CompilableContents {
  const contents: CompilableContents = {
    expressions: [],
    references: [],
    criteria: [],
    modules: [],
    calls: [],
    flaws: [],
  }
  const call = listCallRootTypes(value.parameters)
  if (value.type === 'pipeline') {
    parametersShape.visit?.(value.parameters, `${ROOT}/parameters`, collector(contents, call))
    // Members of the pipeline itself that are missing.
    visitCompilableValue({ ...value, cursors: [], parameters: [] }, ROOT, {
      flaw: (one) => void (one.path === `${ROOT}/source` && contents.flaws.push(one)),
    })
    collectPipeline(contents, value, facts)
  } else {
    visitCompilableValue(value, ROOT, collector(contents, call))
    if (value.type === 'template' && value.value !== null) {
      const position: ExpressionConstraints = { result: 'any', roots: CALL_EXPRESSION_ROOTS, allowed: ['template'] }
      collector(contents, call).expression?.({ type: 'template', value: value.value }, ROOT, position)
    }
  }
  contents.flaws.push(...findUnusedParameters(value.parameters, contents))
  return contents
}
