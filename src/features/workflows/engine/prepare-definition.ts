import {
  type CompileContext,
  type CompiledExpression,
  compileExpression,
  createCompileContext,
} from '../../../scripting/expressions/compile.ts'
import {
  evaluateExpression,
  evaluateExpressionSync,
  isConditionTrue,
  needsSandbox,
} from '../../../scripting/expressions/evaluate.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import type { ContactFieldName } from '../../../scripting/expressions/known-names.ts'
import type { ScriptEvaluator } from '../../../scripting/expressions/scripts-port.ts'
import type { DefinitionVisitor } from '../../../scripting/schemas/shape.ts'
import { listTemplateFilters } from '../../../scripting/scripting-object.ts'
import type { StoredEventFilter } from '../definition/event-filters.ts'
import { compileMemberFilter } from '../definition/event-member-filter.ts'
import { type WorkflowDefinition, workflowPartShapes } from '../definition/workflow-definition.ts'
import { visitWorkflowSettings } from '../definition/workflow-settings.ts'
import { type NodeBehavior, StepFailure } from '../nodes/node-contract.ts'
import type { NodeFailureSettings, StoredWorkflowNode } from '../nodes/node-type.ts'
import { listNodeEventFilters, workflowNodeTypes } from '../nodes/node-types.ts'
import type {
  ReadyCapping,
  ReadyDefinition,
  ReadyEventFilter,
  ReadyNode,
  RunExpressionScope,
  ScriptExpressionValue,
  WorkflowVersionKey,
} from './ready-definition.ts'

/** Context of preparing definitions. */
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
    const collectedExpressions: DefinitionExpression[] = []
    visit({
      expression: (expression, path, position) => {
        const { compiled } = compileExpression(expression, path, position, this.#compiling)
        if (compiled) this.#compiled.set(expression, compiled)
        if (expression.type !== 'literal') collectedExpressions.push(expression)
      },
    })
    return collectedExpressions
  }

  compiledOf(expression: DefinitionExpression): CompiledExpression {
    const compiled = this.#compiled.get(expression)
    if (!compiled) throw new StepFailure('expression', 'The expression does not compile.')
    return compiled
  }

  /** Returns those of the passed expressions that the sandbox evaluates. */
  scriptsOf(expressions: readonly DefinitionExpression[]): DefinitionExpression[] {
    return expressions.filter(
      (candidate) => this.#compiled.has(candidate) && needsSandbox(this.#compiled.get(candidate)!),
    )
  }

  usesContact(expressions: readonly DefinitionExpression[]): boolean {
    return expressions.some((usedExpression) => {
      const compiled = this.#compiled.get(usedExpression)
      return compiled?.type === 'path'
        ? compiled.steps[0] === 'contact'
        : compiled !== undefined && compiled.type !== 'literal'
    })
  }
}

const toErrorMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 1000)

function readScopeZone(scope: RunExpressionScope): string {
  return (scope['$zone'] as string | undefined) ?? 'UTC'
}

/** Prepares an event filter for matching. */
function prepareFilter(
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
    const preparedValue = prepared.get(expression)
    if (preparedValue) {
      if ('value' in preparedValue) return preparedValue.value
      throw new StepFailure(preparedValue.error.type, preparedValue.error.message, preparedValue.error)
    }
    const compiled = expressions.compiledOf(expression)
    try {
      return evaluateExpressionSync(compiled, toScopeValues(scope))
    } catch (error) {
      throw new StepFailure('expression', toErrorMessage(error))
    }
  }

  const toScopeValues = (scope: RunExpressionScope) => ({
    values: scope,
    zone: readScopeZone(scope),
    now: Date.parse(String(scope['now'])),
  })
  const run = (expression: DefinitionExpression, scope: RunExpressionScope): Promise<unknown> =>
    evaluateExpression(expressions.compiledOf(expression), toScopeValues(scope), scripts)
  const filterValue = (expression: DefinitionExpression, scope: RunExpressionScope): unknown | Promise<unknown> =>
    needsSandbox(expressions.compiledOf(expression)) ? run(expression, scope) : evaluate(expression, scope, NO_VALUES)
  const prepareStoredFilter = (filter: StoredEventFilter) => prepareFilter(filter, expressions, filterValue)
  const cappings = definition.capping.filter(
    ({ threshold, period }) => threshold !== null && period !== null,
  ) as unknown as (ReadyCapping & { nodes: string[] })[]

  function readyNode(node: StoredWorkflowNode): ReadyNode {
    const type = workflowNodeTypes.get(node.type)!
    const nodeExpressions = expressions.collect((visitor) => {
      type.settings.visit?.(node.settings as never, '', visitor)
      type.own?.visit?.(node, '', visitor)
    })
    const nodeCappings = cappings.filter(({ nodes }) => nodes.includes(node.id))
    return {
      id: node.id,
      type: node.type,
      behavior: type as NodeBehavior<never>,
      settings: { ...node.settings, ...pickOwnMembers(node, type.own?.members) },
      next: node.next,
      failure: type.hasFailure ? ((node.settings as { failure?: NodeFailureSettings }).failure ?? null) : null,
      scripts: expressions.scriptsOf(nodeExpressions),
      usesContact: expressions.usesContact([
        ...nodeExpressions,
        ...nodeCappings.map(({ key: countedKey }) => countedKey),
      ]),
      isPure: type.isPure,
      waitIds: type.listEventFilters(node.settings).map(([id]) => id),
      cappings: nodeCappings,
    }
  }

  const nodes = new Map(definition.nodes.map((node) => [node.id, readyNode(node)]))
  const filters = new Map(
    definition.nodes.flatMap((node) =>
      listNodeEventFilters(node).map(([wait, filter]) => [`${node.id} ${wait}`, prepareStoredFilter(filter)] as const),
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
      return workflowNodeTypes.get(type)?.isGoal && filter ? [{ id, next, filter }] : []
    }),
    listeners: definition.listeners.flatMap(({ id, enabled, event, handler, onOpen, correlation }) =>
      enabled && event && handler ? [{ id, filter: prepareStoredFilter(event), handler, onOpen, correlation }] : [],
    ),
    tasks: definition.tasks,
    entry: definition.nodes.find((node) => node.default)?.id ?? null,
    filterOf: (node, wait) => filters.get(`${node} ${wait}`),
    run,
    evaluate,
  }
}

const NO_VALUES: ReadonlyMap<DefinitionExpression, ScriptExpressionValue> = new Map()

function pickOwnMembers(node: StoredWorkflowNode, members: object | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.keys(members ?? {}).map((name) => [name, node[name]]))
}
