import {
  type CompileContext,
  type CompiledExpression,
  compileExpression,
  createCompileContext,
} from '../../../scripting/expressions/compile.ts'
import {
  evaluateExpression as evaluateAny,
  evaluateExpressionSync,
  isConditionTrue,
  needsSandbox,
} from '../../../scripting/expressions/evaluate.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import type { ContactFieldName } from '../../../scripting/expressions/known-names.ts'
import type { ScriptEvaluator } from '../../../scripting/expressions/scripts-port.ts'
import type { DefinitionVisitor } from '../../../scripting/schemas/shape.ts'
import { listTemplateFilters } from '../../../scripting/scripting-object.ts'
import { type WorkflowDefinition, workflowPartShapes } from '../definition/definition.ts'
import type { StoredEventFilter } from '../definition/event-filters.ts'
import { visitWorkflowSettings } from '../definition/settings.ts'
import { listNodeFilters } from '../nodes/filters.ts'
import type { NodeFailureSettings, StoredWorkflowNode } from '../nodes/node-type.ts'
import { workflowNodeTypes } from '../nodes/node-types.ts'
import { compileMemberFilter } from '../starts/event-sources.ts'
import { StepFailure } from '../stepping/step.ts'
import { stepsByNodeType } from '../steps/node-steps.ts'
import type {
  ReadyCapping,
  ReadyDefinition,
  ReadyEventFilter,
  ReadyNode,
  RunExpressionScope,
  ScriptExpressionValue,
  WorkflowVersionKey,
} from './ready-definition.ts'

/** What definitions are made ready with. */
export interface PrepareDefinitionContext {
  culture: string
  fields: readonly ContactFieldName[]
  scripts: ScriptEvaluator
}

/** Expressions of a definition, compiled; those that do not compile fail when they are evaluated. */
class Expressions {
  readonly #compiled = new Map<DefinitionExpression, CompiledExpression>()
  readonly #compiling: CompileContext

  constructor(compiling: CompileContext) {
    this.#compiling = compiling
  }

  /** Compiles the expressions that a visit finds; gives those that are not literals. */
  collect(visit: (visitor: DefinitionVisitor) => void): DefinitionExpression[] {
    const found: DefinitionExpression[] = []
    visit({
      expression: (expression, path, position) => {
        const { compiled } = compileExpression(expression, path, position, this.#compiling)
        if (compiled) this.#compiled.set(expression, compiled)
        if (expression.type !== 'literal') found.push(expression)
      },
    })
    return found
  }

  compiledOf(expression: DefinitionExpression): CompiledExpression {
    const compiled = this.#compiled.get(expression)
    if (!compiled) throw new StepFailure('expression', 'The expression does not compile.')
    return compiled
  }

  /** Of the given, those that the sandbox evaluates. */
  scriptsOf(expressions: readonly DefinitionExpression[]): DefinitionExpression[] {
    return expressions.filter((one) => this.#compiled.has(one) && needsSandbox(this.#compiled.get(one)!))
  }

  usesContact(expressions: readonly DefinitionExpression[]): boolean {
    return expressions.some((one) => {
      const compiled = this.#compiled.get(one)
      return compiled?.type === 'path'
        ? compiled.steps[0] === 'contact'
        : compiled !== undefined && compiled.type !== 'literal'
    })
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 1000)

function zoneOf(scope: RunExpressionScope): string {
  return (scope['$zone'] as string | undefined) ?? 'UTC'
}

/** What an event filter asks for, ready to be asked. */
function readyFilter(
  filter: StoredEventFilter,
  expressions: Expressions,
  evaluate: (expression: DefinitionExpression, scope: RunExpressionScope) => unknown | Promise<unknown>,
): ReadyEventFilter {
  const { type, filter: condition } = filter
  const hasMembers = compileMemberFilter(filter)
  return {
    type,
    usesContact: condition !== null && expressions.usesContact([condition]),
    passes(event, scope) {
      if (!hasMembers(event)) return false
      if (condition === null) return true
      const value = evaluate(condition, scope())
      return value instanceof Promise ? value.then(isConditionTrue) : isConditionTrue(value)
    },
  }
}

/** Makes a version ready: expressions are compiled, nodes found by their ids. */
export function prepareDefinition(
  key: WorkflowVersionKey,
  definition: WorkflowDefinition,
  { culture, fields, scripts }: PrepareDefinitionContext,
): ReadyDefinition {
  const { settings, scripting } = definition
  const expressions = new Expressions(createCompileContext(culture, listTemplateFilters(scripting), fields))
  for (const part of ['listeners', 'tasks', 'capping'] as const) {
    expressions.collect((visitor) => workflowPartShapes[part].visit?.(definition[part] as never, `/${part}`, visitor))
  }
  const entryKey = settings.entryKey
  if (entryKey) expressions.collect((visitor) => visitWorkflowSettings(settings, '/settings', visitor))

  function evaluate(
    expression: DefinitionExpression,
    scope: RunExpressionScope,
    prepared: ReadonlyMap<DefinitionExpression, ScriptExpressionValue>,
  ): unknown {
    const known = prepared.get(expression)
    if (known) {
      if ('value' in known) return known.value
      throw new StepFailure(known.error.type, known.error.message, known.error)
    }
    const compiled = expressions.compiledOf(expression)
    try {
      return evaluateExpressionSync(compiled, inScope(scope))
    } catch (error) {
      throw new StepFailure('expression', messageOf(error))
    }
  }

  const inScope = (scope: RunExpressionScope) => ({
    values: scope,
    zone: zoneOf(scope),
    now: Date.parse(String(scope['now'])),
  })
  const run = (expression: DefinitionExpression, scope: RunExpressionScope): Promise<unknown> =>
    evaluateAny(expressions.compiledOf(expression), inScope(scope), scripts)
  const filterValue = (expression: DefinitionExpression, scope: RunExpressionScope): unknown | Promise<unknown> =>
    needsSandbox(expressions.compiledOf(expression)) ? run(expression, scope) : evaluate(expression, scope, NOTHING)
  const ready = (filter: StoredEventFilter) => readyFilter(filter, expressions, filterValue)
  const cappings = definition.capping.filter(
    ({ threshold, period }) => threshold !== null && period !== null,
  ) as unknown as (ReadyCapping & { nodes: string[] })[]

  function readyNode(node: StoredWorkflowNode): ReadyNode {
    const type = workflowNodeTypes.get(node.type)!
    const found = expressions.collect((visitor) => {
      type.settings.visit?.(node.settings as never, '', visitor)
      type.own?.visit?.(node, '', visitor)
    })
    const own = cappings.filter(({ nodes }) => nodes.includes(node.id))
    return {
      id: node.id,
      type: node.type,
      steps: stepsByNodeType.get(node.type) as never,
      settings: { ...node.settings, ...ownMembers(node, type.own?.members) },
      next: node.next,
      failure: type.hasFailure ? ((node.settings as { failure?: NodeFailureSettings }).failure ?? null) : null,
      scripts: expressions.scriptsOf(found),
      usesContact: expressions.usesContact([...found, ...own.map(({ key: counted }) => counted)]),
      isEffect: !pureTypes.has(node.type),
      cappings: own,
    }
  }

  const nodes = new Map(definition.nodes.map((node) => [node.id, readyNode(node)]))
  const filters = new Map(
    definition.nodes.flatMap((node) =>
      listNodeFilters(node).map(([wait, filter]) => [`${node.id} ${wait}`, ready(filter)] as const),
    ),
  )
  return {
    ...key,
    scripting,
    environment: scripting.environment.variables ?? {},
    settings: {
      ...settings,
      timeZone: settings.timeZone.id,
      entryKey,
    },
    nodes,
    goals: definition.nodes.flatMap(({ id, type, next }) => {
      const filter = filters.get(`${id} `)
      return type === 'goal' && filter ? [{ id, next, filter }] : []
    }),
    listeners: definition.listeners.flatMap(({ id, enabled, event, handler, onOpen, correlation }) =>
      enabled && event && handler ? [{ id, filter: ready(event), handler, onOpen, correlation }] : [],
    ),
    tasks: definition.tasks,
    entry: definition.nodes.find((node) => node.default)?.id ?? null,
    filterOf: (node, wait) => filters.get(`${node} ${wait}`),
    run,
    evaluate,
  }
}

/** Types that only decide, or wait. */
const pureTypes: ReadonlySet<string> = new Set([
  ...['if', 'match', 'data-explorer-v2.match', 'switch', 'split', 'sleep', 'multipleslots', 'conditionaltimeslots'],
  ...['wait', 'wait.race', 'wait.all', 'terminal', 'goal'],
])

const NOTHING: ReadonlyMap<DefinitionExpression, ScriptExpressionValue> = new Map()

function ownMembers(node: StoredWorkflowNode, members: object | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.keys(members ?? {}).map((name) => [name, node[name]]))
}
