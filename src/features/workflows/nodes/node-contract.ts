import type { AccountId } from '../../../lib/account.ts'
import type { SentSourceKind } from '../../../lib/sources.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import type { CollectedScriptWrite } from '../../../scripting/sandbox/types.ts'

/** Result of a node: `last` in the scope of the next. */
export interface LastNodeResult {
  node: string
  outcome: WorkflowStepOutcome
  value: unknown
  error: NodeError | null
}

export type WorkflowStepOutcome = 'done' | 'accepted' | 'capped' | 'failed' | 'timeout' | 'branch'

/** Why a node failed. `isTransient`: it is tried again. */
export interface NodeError {
  type: string
  message: string
  node?: string
}

/** An event or notice, as filters and templates see it. */
export type RunEventRecord = Readonly<Record<string, unknown>> & { type: string; id: string; timestamp: number }

/** Type of what stands in the place of an event where an execution ended a wait. */
export const RESOLUTION_EVENT_TYPE = 'resolution'

/** Converts the event that ended a wait to its value in the run: the event, or the value that an execution passed. */
export const toWaitResult = (record: RunEventRecord | undefined): unknown =>
  record?.type === RESOLUTION_EVENT_TYPE ? record['value'] : record

/** Read-only view of a run for a step. */
export interface NodeVisit<Settings = unknown> {
  account: AccountId
  workflow: number
  run: string
  node: string
  visit: number
  attempt: number
  settings: Settings
  /** Next node; targets that are null lead to it. */
  next: string | null
  /** The contact's id; null: a run without contact. */
  contact: number | null
  stamp: { id: string; thread: string; set: string; time: number }
  /** Milliseconds. */
  now: number
  /** The zone of the workflow, and of the contact where it has one. */
  zones: { workflow: string; contact: string }
  /** Time when the node was entered (milliseconds), and the state that its pause stored. */
  enteredAt: number
  memo: unknown
  /** Events that its waits have matched. */
  happened: ReadonlyMap<string, RunEventRecord>
  /** Stamps of its sends, by node; `''`: the latest. */
  sends: Readonly<Record<string, string>>
  /** The value of an expression of the settings. Throws `StepFailure`. */
  value(expression: DefinitionExpression): unknown
  /** Returns true if a condition holds. Throws `StepFailure`. */
  holds(condition: DefinitionExpression): boolean
}

/** Ends the step of a node: `fail` is for good, a transient one is tried again. */
export class StepFailure extends Error {
  readonly type: string
  readonly isTransient: boolean
  /** Milliseconds until it is worth a try, as the far side said. */
  readonly retryAfterMs: number | undefined
  constructor(
    type: string,
    message: string,
    { isTransient = false, retryAfterMs }: { isTransient?: boolean; retryAfterMs?: number } = {},
  ) {
    super(message)
    this.type = type
    this.isTransient = isTransient
    this.retryAfterMs = retryAfterMs
  }
}

/** Returns the answer of a handler. Throws the answer if it is a failure, so that the error is raised at the request. */
export function requireEffectAnswer(answer: unknown): unknown {
  if (answer instanceof StepFailure) throw answer
  return answer
}

/** Next step of a run: `next` is a node; if it is null, the run completes. */
export interface LeavePlan {
  type: 'leave'
  next: string | null
  outcome: WorkflowStepOutcome
  value?: unknown
  /** The variable that gets the value. */
  into?: string | null
  /** Detail of the trace. */
  detail?: Readonly<Record<string, unknown>>
  /** Branch that the run took; it is stored in the trace. */
  branch?: string
}

/** One thing to wait for. */
export interface EventWait {
  id: string
  event: CompiledEventFilter
  correlation: WaitCorrelation
  /** Node of the send that it is about; null: the latest. */
  sendNode: string | null
  since: WaitStart
}

export type WaitCorrelation = 'contact' | 'thread' | 'send' | 'none'

/** Start of a wait's search: a position in the run, or a number of milliseconds back. */
export type WaitStart = 'previous' | 'now' | 'send' | 'run' | { backMs: number }

/** A filter of events that is compiled; the engine knows it by the version and node it is of. */
export interface CompiledEventFilter {
  type: string
}

/** The run stays at the node, until a moment (milliseconds; null: its own end) or until what it waits for has happened. */
export interface PausePlan {
  type: 'pause'
  until: number | null
  waits: readonly EventWait[]
  /** Number of waits that must happen. */
  needed: 'one' | 'all'
  /** JSON that the visit has when it wakes. */
  memo?: unknown
}

/** The run ends. */
export interface EndPlan {
  type: 'end'
  outcome: string | null
  /** `completed` when absent. */
  status?: 'completed' | 'capped'
  detail?: Readonly<Record<string, unknown>>
}

/** Something that only the engine can do or read; `resumeWithAnswer` of the node is given what it came to. */
export interface EffectPlan {
  type: 'ask'
  ask: EffectRequest
}

/** Decision of a node. */
export type FinalStepPlan = LeavePlan | PausePlan | EndPlan
export type StepPlan = FinalStepPlan | EffectPlan

/** Why a run that waited goes on. */
export type RunWakeReason =
  | { type: 'deadline' }
  /** By id of the wait; in the order in which they happened. */
  | { type: 'events'; happened: ReadonlyMap<string, RunEventRecord> }
  /** Another run made it leave by its deadline. */
  | { type: 'released' }

/**
 * Effects that nodes request, by kind. The handler of each kind processes many requests at once. `reads` and `calls` run before the
 * transaction of the step, `effects` in it.
 */
export interface EffectRequestTypes {
  match: { segment: number } | { criteria: unknown }
  history: { event: CompiledEventFilter; correlation: WaitCorrelation; periodMs: number | null }
  send: SendEffect
  updateTarget: { fields: Readonly<Record<string, unknown>>; add: readonly number[]; remove: readonly number[] }
  publish: { name: string; data: Readonly<Record<string, unknown>> }
  request: HttpEffect
  script: { source: string | null; webtask: number | null; arguments: Readonly<Record<string, unknown>> }
  /** Applies the writes of a script in the order of its calls. The answer is the same without writes. */
  writes: { answer: ScriptEffectAnswer; prepared?: unknown }
  pipeline: { compilable: string; arguments: Readonly<Record<string, unknown>>; first: boolean }
  killWaiting: { nodes: readonly string[]; scope: 'contact' | 'thread'; action: 'kill' | 'release' }
  sample: { count: number }
  /** No branches: the visit is of the share held out. */
  experiment: { branches: readonly string[]; share: number; settings: unknown }
}

export type EffectKind = keyof EffectRequestTypes

/** Kinds that leave the service, or take their time. */
export const callEffectKinds: ReadonlySet<EffectKind> = new Set(['request', 'script', 'pipeline'])

export type EffectRequest = { [K in EffectKind]: { kind: K } & EffectRequestTypes[K] }[EffectKind]

/** A send by an action, RCS action or notification: `item` is an item of its execution without stamp. */
export interface SendEffect {
  source: SentSourceKind
  /** Id on the wire of an action; number of a notification. */
  id: string | number
  item: Readonly<Record<string, unknown>>
  /** Value that its handler prepared before the transaction. */
  prepared?: unknown
  /** It is recorded as cancelled: capping stopped it. */
  capped?: { message: string; threshold: number; node: string }
}

/** Answer to a send. */
export interface SendEffectAnswer {
  /** As an execution answers. */
  result: Readonly<Record<string, unknown>>
  stamp: string
}

/** Result of a script. */
export interface ScriptEffectAnswer {
  value: unknown
  writes: readonly CollectedScriptWrite[]
  logs: readonly { level: string; at: number; text: string }[]
}

/** Response of a server. */
export interface HttpEffectAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: unknown
}

export interface HttpEffect {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: unknown
  timeoutMs: number
  success: readonly number[] | null
  repeat: boolean
}

/** The behaviour of a node type in a run. All functions are pure: they read the visit and return the plan. */
export interface NodeBehavior<Settings> {
  /** Performs the node. Throws `StepFailure`. */
  enter(visit: NodeVisit<Settings>): StepPlan
  /** Continues with the answer to the effect that its plan asked for. */
  resumeWithAnswer?(visit: NodeVisit<Settings>, answer: unknown): StepPlan
  /** Continues after a wait. */
  resumeAfterWait?(visit: NodeVisit<Settings>, wake: RunWakeReason): FinalStepPlan
}
