import type { LocatedExpression } from '../../../scripting/expressions/compile.ts'
import type { ExpressionConstraints } from '../../../scripting/expressions/expression-types.ts'
import { createFlaw, type DefinitionFlaw } from '../../../scripting/flaws.ts'
import type { CompilableCall, DefinitionVisitor, ReferenceKind } from '../../../scripting/schemas/shape.ts'
import { cursorShape } from '../definition/cursors.ts'
import { type CompilableValue, type PipelineDefinition, visitCompilableValue } from '../definition/definition.ts'
import { CALL_EXPRESSION_ROOTS } from '../definition/expressions.ts'
import { parameterListShape } from '../definition/parameters.ts'
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
  /** Flaws of single members: missing members, and types. */
  flaws: DefinitionFlaw[]
}

const VALUE_POINTER = '/value'
/** Maximum number of columns in a statement, with a margin. */
const MAX_ROW_MEMBERS = 1000

/** Collects the visited parts of a definition; expressions may use the names of the roots. */
function createCollector(contents: CompilableContents, roots: RootTypes): DefinitionVisitor {
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
    flaw: (reportedFlaw) => contents.flaws.push(reportedFlaw),
  }
}

function collectPipelineContents(
  contents: CompilableContents,
  pipeline: PipelineDefinition,
  facts: TypeInferenceContext,
): void {
  const { source, cursors, parameters } = pipeline
  const callRoots = listCallRootTypes(parameters)
  const rowTypes = inferRowTypes(pipeline, facts)
  const sourcePointer = `${VALUE_POINTER}/source`
  if (source) {
    pipelineSourceShape.visit?.(source as never, sourcePointer, createCollector(contents, callRoots))
    contents.flaws.push(...findSourceFlaws(source, sourcePointer, callRoots))
  }
  for (const [index, cursor] of cursors.entries()) {
    const path = `${VALUE_POINTER}/cursors/${index}`
    const { size } = rowTypes[index + 1]!.members
    if (size > MAX_ROW_MEMBERS)
      contents.flaws.push(
        createFlaw('limit', path, `Its rows have ${size} members; at most ${MAX_ROW_MEMBERS} are allowed.`),
      )
    const joinedSource = cursor.type === 'join' ? cursor.source : null
    const roots = {
      ...callRoots,
      row: rowTypes[index]!,
      other: joinedSource ? inferSourceType(joinedSource, facts) : ANY_TYPE,
    }
    cursorShape.visit?.(cursor as never, path, createCollector(contents, roots))
    contents.flaws.push(...findCursorFlaws(cursor, path, { roots, row: rowTypes[index]!, shape: facts.shape }))
    if (joinedSource) contents.flaws.push(...findSourceFlaws(joinedSource, `${path}/source`, callRoots))
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
  const callRoots = listCallRootTypes(value.parameters)
  if (value.type === 'pipeline') {
    parameterListShape.visit?.(value.parameters, `${VALUE_POINTER}/parameters`, createCollector(contents, callRoots))
    // Members of the pipeline itself that are missing.
    visitCompilableValue({ ...value, cursors: [], parameters: [] }, VALUE_POINTER, {
      flaw: (reportedFlaw) =>
        void (reportedFlaw.path === `${VALUE_POINTER}/source` && contents.flaws.push(reportedFlaw)),
    })
    collectPipelineContents(contents, value, facts)
  } else {
    visitCompilableValue(value, VALUE_POINTER, createCollector(contents, callRoots))
    if (value.type === 'template' && value.value !== null) {
      const argumentConstraints: ExpressionConstraints = {
        result: 'any',
        roots: CALL_EXPRESSION_ROOTS,
        allowed: ['template'],
      }
      createCollector(contents, callRoots).expression?.(
        { type: 'template', value: value.value },
        VALUE_POINTER,
        argumentConstraints,
      )
    }
  }
  contents.flaws.push(...findUnusedParameters(value.parameters, contents))
  return contents
}
