import type { AccountId } from '../../../lib/account.ts'
import type { Span } from '../../../lib/time/spans.ts'
import type { Expression } from '../../../scripting/expressions/expression.ts'
import type { Scripting } from '../../../scripting/scripting-object.ts'
import type { EventRecord, NodeSteps } from '../stepping/step.ts'
import type { Task } from '../tasks/task-definitions.ts'

/** A version of a workflow. */
export interface VersionKey {
  account: AccountId
  workflow: number
  version: number
}

/** What a failed node does. */
export interface FailureBlock {
  mode: 'fail' | 'continue' | 'goto'
  next: string | null
  retry: { attempts: number; delay: Span; factor: number; max: Span }
}

/** A node of a version, ready to be performed. */
export interface ReadyNode {
  id: string
  type: string
  steps: NodeSteps<never>
  settings: unknown
  next: string | null
  /** Null: a failure ends the run. */
  failure: FailureBlock | null
  /** Script expressions, which are evaluated together before the node is performed. */
  scripts: readonly Expression[]
  usesContact: boolean
  /** It changes something, or leaves the service. */
  isEffect: boolean
  /** Entries of capping that list it. */
  cappings: readonly ReadyCapping[]
}

export interface ReadyCapping {
  id: string
  key: Expression
  increment: number
  threshold: number
  period: Span
  action: 'continue' | 'end'
}

/** A goal, a listener or a wait: what it listens to. */
export interface ReadyFilter {
  type: string
  /** Whether an event passes; `scope` is that of the run, of a listener event and contact. Rejects when its condition fails. */
  passes(event: EventRecord, scope: () => Scope): boolean | Promise<boolean>
  usesContact: boolean
}

/** What names stand for in expressions. */
export type Scope = Readonly<Record<string, unknown>>

/** A version of a workflow, ready to be run. */
export interface ReadyDefinition extends VersionKey {
  scripting: Scripting
  environment: Readonly<Record<string, unknown>>
  settings: {
    timeZone: string
    timeZoneField: number | null
    entryKey: Expression | null
    reentry: { mode: 'always' | 'never' | 'afterExit' | 'afterPeriod'; period: Span | null }
    concurrency: number
    maxNodes: number
    maxDuration: Span
    migration: 'none' | 'atWaits'
    trace: 'all' | 'errors' | 'none'
  }
  nodes: ReadonlyMap<string, ReadyNode>
  goals: readonly { id: string; next: string | null; filter: ReadyFilter }[]
  listeners: readonly ReadyListener[]
  tasks: readonly Task[]
  /** The entry when an execution names none. */
  entry: string | null
  /** The filter of a wait of a node, or of a goal. */
  filterOf(node: string, wait: string): ReadyFilter | undefined
  /** The value of an expression that is a script, or has filters that are. Rejects when it fails. */
  run(expression: Expression, scope: Scope): Promise<unknown>
  /** The value of an expression. Throws `StepFailure`. */
  evaluate(expression: Expression, scope: Scope, scripts: ReadonlyMap<Expression, ScriptValue>): unknown
}

export interface ReadyListener {
  id: string
  filter: ReadyFilter
  handler: string
  onOpen: 'start' | 'skip' | 'move' | 'moveOrStart'
  correlation: 'contact' | 'thread'
}

/** What the sandbox gave for a script expression. */
export type ScriptValue = { value: unknown } | { error: { type: string; message: string; isTransient: boolean } }

/** The place of a wait among those of its node. */
export function placeOf({ nodes }: Pick<ReadyDefinition, 'nodes'>, node: string, wait: string): number {
  const { waits } = (nodes.get(node)?.settings ?? {}) as { waits?: readonly { id: string }[] | null }
  return waits?.findIndex(({ id }) => id === wait) ?? 0
}
