import type { AccountId } from '../../../lib/account.ts'
import { createNamedUuid } from '../../../lib/ids.ts'
import type { LastNodeResult, RunEventRecord } from '../nodes/node-contract.ts'

/** Behind this place in the log of events: later, or at that time not committed in the snapshot. */
export interface EventLogPosition {
  at: Date
  /** Position of a consumed event. */
  event: string | null
  snapshot: string | null
}

export type OpenRunStatus = 'running' | 'waiting'
export type EndedRunStatus = 'completed' | 'failed' | 'killed' | 'expired' | 'capped'

/** Next action at the current node of a run. */
export type RunPhase = 'enter' | 'cleared' | 'begun' | 'wait' | 'retry'

/** Request of another process to an open run. */
export type RunInterrupt =
  | { type: 'move'; handler: string; event: RunEventRecord }
  | { type: 'release' }
  /** `leaves`: it leaves the wait that is over first, by the way of the event. */
  | { type: 'resume'; node: string; leaves?: boolean }

/** A run as it is stored. */
export interface StoredRun {
  account: AccountId
  id: string
  workflow: number
  version: number
  contact: number | null
  entryKey: string | null
  status: OpenRunStatus | EndedRunStatus
  reason: string | null
  outcome: string | null
  node: string
  phase: RunPhase
  visit: number
  attempt: number
  enteredAt: Date | null
  needed: number
  /** State that its pause stored. */
  memo: unknown
  steps: number
  visits: Record<string, number>
  data: Record<string, unknown>
  state: Record<string, unknown>
  variables: Record<string, unknown>
  event: Record<string, unknown> | null
  last: LastNodeResult | null
  sends: Record<string, string> | null
  startType: 'execution' | 'listener' | 'task'
  startId: string | null
  depth: number
  stamp: string
  stampTime: Date
  thread: string
  set: string
  mark: EventLogPosition
  wake: Date | null
  expiresAt: Date
  moves: number
  interrupt: RunInterrupt | null
  goal: string | null
  createdAt: Date
  updatedAt: Date
  endedAt: Date | null
}

/** Key of a run. */
export type WorkflowRunKey = Pick<StoredRun, 'account' | 'id'>

export const isOpenRun = ({ status }: Pick<StoredRun, 'status'>): boolean =>
  status === 'running' || status === 'waiting'

/** Returns true if the run has entered a wait or pause. */
export const isRunPausing = ({ phase }: Pick<StoredRun, 'phase'>): boolean => phase === 'wait'

/** Names a visit of a node: the stamp of its send. */
export function formatVisitId({ id, node, visit }: Pick<StoredRun, 'id' | 'node' | 'visit'>): string {
  return createNamedUuid(`${id}:${node}:${visit}`)
}

/** Lists the stamps in the `sends` of a run, each once. `sends` also holds times of sends and the events that ended waits. */
export function listRunSendStamps(sends: Readonly<Record<string, string>> | null): string[] {
  const stamps = Object.entries(sends ?? {}).flatMap(([name, value]) => (/^(?:at|after) /.test(name) ? [] : [value]))
  return [...new Set(stamps)]
}

/** One node in the trace. */
export interface RunTraceEntry {
  seq: number
  node: string
  type: string
  visit: number
  attempt: number
  /** Milliseconds. */
  enter: number
  leave: number
  outcome: string
  next: string | null
  detail: Readonly<Record<string, unknown>> | null
}
