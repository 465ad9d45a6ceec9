import type { PlacedExpression } from '../../../scripting/expressions/compile.ts'
import type { ExpressionPosition } from '../../../scripting/expressions/expression-types.ts'
import { type Flaw, flaw } from '../../../scripting/flaws.ts'
import type { Call, ReferenceKind, Visitor } from '../../../scripting/schemas/shape.ts'
import { cursor as cursorShape } from '../definition/cursors.ts'
import { type CompilableValue, type Pipeline, visitValue } from '../definition/definition.ts'
import { CALL_ROOTS } from '../definition/expressions.ts'
import { parameters as parametersShape } from '../definition/parameters.ts'
import { sources } from '../definition/sources.ts'
import { cursorFlaws, inMemoryFlaws, sourceFlaws } from './cursor-flaws.ts'
import { faultOf } from './names.ts'
import { callRoots, type Roots, rowTypes, sourceType, type TypeFacts } from './row-types.ts'
import { unusedFlaws } from './unused.ts'
import { ANY } from './value-types.ts'

/** All that is in a compilable, each with the pointer to it. */
export interface Contents {
  expressions: PlacedExpression[]
  references: { kind: ReferenceKind; id: string | number; path: string }[]
  criteria: { criteria: unknown; path: string }[]
  modules: { source: string; path: string }[]
  /** Compilables that it reads rows of. */
  calls: Call[]
  /** Of what stands by itself: members that are missing, and types. */
  flaws: Flaw[]
}

const ROOT = '/value'
/** A statement has so many columns and some more. */
const MAX_MEMBERS = 1000

/** Collects what it is told of; names of expressions are those that the roots have. */
function collector(contents: Contents, roots: Roots): Visitor {
  return {
    expression: (expression, path, position) =>
      contents.expressions.push({
        expression,
        path,
        position: { ...position, faultOf: (names) => faultOf(names, roots) },
      }),
    // Those of compilables are calls.
    reference: (kind, id, path) => void (kind !== 'pipeline' && contents.references.push({ kind, id, path })),
    call: (call) => contents.calls.push(call),
    criteria: (criteria, path) => contents.criteria.push({ criteria, path }),
    module: (source, path) => contents.modules.push({ source, path }),
    flaw: (one) => contents.flaws.push(one),
  }
}

function collectPipeline(contents: Contents, pipeline: Pipeline, facts: TypeFacts): void {
  const { source, cursors, parameters } = pipeline
  const call = callRoots(parameters)
  const types = rowTypes(pipeline, facts)
  const at = `${ROOT}/source`
  if (source) {
    sources.visit?.(source as never, at, collector(contents, call))
    contents.flaws.push(...sourceFlaws(source, at, call))
  }
  for (const [index, cursor] of cursors.entries()) {
    const path = `${ROOT}/cursors/${index}`
    const { size } = types[index + 1]!.members
    if (size > MAX_MEMBERS)
      contents.flaws.push(flaw('limit', path, `Its rows have ${size} members: at most ${MAX_MEMBERS} are possible.`))
    const joined = cursor.type === 'join' ? cursor.source : null
    const roots = { ...call, row: types[index]!, other: joined ? sourceType(joined, facts) : ANY }
    cursorShape.visit?.(cursor as never, path, collector(contents, roots))
    contents.flaws.push(...cursorFlaws(cursor, path, { roots, row: types[index]!, shape: facts.shape }))
    if (joined) contents.flaws.push(...sourceFlaws(joined, `${path}/source`, call))
  }
  contents.flaws.push(...inMemoryFlaws(pipeline, facts.used))
}

/** Collects what is in a compilable. */
export function contentsOf(value: CompilableValue, facts: TypeFacts): Contents {
  const contents: Contents = { expressions: [], references: [], criteria: [], modules: [], calls: [], flaws: [] }
  const call = callRoots(value.parameters)
  if (value.type === 'pipeline') {
    parametersShape.visit?.(value.parameters, `${ROOT}/parameters`, collector(contents, call))
    // Members of the pipeline itself that are missing.
    visitValue({ ...value, cursors: [], parameters: [] }, ROOT, {
      flaw: (one) => void (one.path === `${ROOT}/source` && contents.flaws.push(one)),
    })
    collectPipeline(contents, value, facts)
  } else {
    visitValue(value, ROOT, collector(contents, call))
    if (value.type === 'template' && value.value !== null) {
      const position: ExpressionPosition = { result: 'any', roots: CALL_ROOTS, allowed: ['template'] }
      collector(contents, call).expression?.({ type: 'template', value: value.value }, ROOT, position)
    }
  }
  contents.flaws.push(...unusedFlaws(value.parameters, contents))
  return contents
}
