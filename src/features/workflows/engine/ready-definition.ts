import type { AccountId } from '../../../lib/account.ts'
import type { TimeSpan } from '../../../lib/time/spans.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import type { ScriptingObject } from '../../../scripting/scripting-object.ts'
import type { NodeBehavior, RunEventRecord } from '../nodes/node-contract.ts'
import type { WorkflowTask } from '../tasks/task-definitions.ts'

/** A version of a workflow. */
export interface WorkflowVersionKey {
  account: AccountId
  workflow: number
  version: number
}

/** Behavior of a failed node. */
export interface NodeFailureBlock {
  mode: 'fail' | 'continue' | 'goto'
  next: string | null
  retry: { attempts: number; delay: TimeSpan; factor: number; max: TimeSpan }
}

/** A node of a version, ready to be performed. */
export interface ReadyNode {
  id: string
  type: string
  behavior: NodeBehavior<never>
  settings: unknown
  next: string | null
  /** Null: a failure ends the run. */
  failure: NodeFailureBlock | null
  /** Script expressions, which are evaluated together before the node is performed. */
  scripts: readonly DefinitionExpression[]
  usesContact: boolean
  /** It changes nothing, and does not leave the service. */
  isPure: boolean
  /** Ids of its waits, in their order. */
  waitIds: readonly string[]
  /** Entries of capping that list it. */
  cappings: readonly ReadyCapping[]
}

export interface ReadyCapping {
  id: string
  key: DefinitionExpression
  increment: number
  threshold: number
  period: TimeSpan
  action: 'continue' | 'end'
}

/** A goal, a listener or a wait: what it listens to. */
export interface ReadyEventFilter {
  type: string
  /**
   * Returns true if an event passes. `scope` is that of the run, or for a listener that of event and contact. Rejects if its condition
   * fails.
   */
  passes(event: RunEventRecord, scope: () => RunExpressionScope): boolean | Promise<boolean>
  usesContact: boolean
}

/** Values of names in expressions. */
export type RunExpressionScope = Readonly<Record<string, unknown>>

/** A version of a workflow, ready to be run. */
export interface ReadyDefinition extends WorkflowVersionKey {
  scripting: ScriptingObject
  environment: Readonly<Record<string, unknown>>
  settings: {
    timeZone: string
    timeZoneField: number | null
    entryKey: DefinitionExpression | null
    reentry: { mode: 'always' | 'never' | 'afterExit' | 'afterPeriod'; period: TimeSpan | null }
    concurrency: number
    maxNodes: number
    maxDuration: TimeSpan
    migration: 'none' | 'atWaits'
    trace: 'all' | 'errors' | 'none'
  }
  nodes: ReadonlyMap<string, ReadyNode>
  goals: readonly { id: string; next: string | null; filter: ReadyEventFilter }[]
  listeners: readonly ReadyListener[]
  tasks: readonly WorkflowTask[]
  /** The entry when an execution names none. */
  entry: string | null
  /** The filter of a wait of a node, or of a goal. */
  filterOf(node: string, wait: string): ReadyEventFilter | undefined
  /** The value of an expression that is a script, or has filters that are. Rejects when it fails. */
  run(expression: DefinitionExpression, scope: RunExpressionScope): Promise<unknown>
  /** The value of an expression. Throws `StepFailure`. */
  evaluate(
    expression: DefinitionExpression,
    scope: RunExpressionScope,
    scripts: ReadonlyMap<DefinitionExpression, ScriptExpressionValue>,
  ): unknown
}

export interface ReadyListener {
  id: string
  filter: ReadyEventFilter
  handler: string
  onOpen: 'start' | 'skip' | 'move' | 'moveOrStart'
  correlation: 'contact' | 'thread'
}

/** Result of the sandbox for a script expression. */
export type ScriptExpressionValue =
  | { value: unknown }
  | { error: { type: string; message: string; isTransient: boolean } }

/** The place of a wait among those of its node. */
export function findWaitPosition({ nodes }: Pick<ReadyDefinition, 'nodes'>, node: string, wait: string): number {
  return nodes.get(node)?.waitIds.indexOf(wait) ?? 0
}
