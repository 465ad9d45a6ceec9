import type { AccountId } from '../../../lib/account.ts'
import { namedUuid } from '../../../lib/ids.ts'
import type { EventRecord, Last } from './step.ts'

/** Behind this place in the log of events: later, or at that time not committed in the snapshot. */
export interface Place {
  at: Date
  /** Of an event that was consumed. */
  event: string | null
  snapshot: string | null
}

export type OpenStatus = 'running' | 'waiting'
export type EndStatus = 'completed' | 'failed' | 'killed' | 'expired' | 'capped'

/** What is to be done at the node where a run stands. */
export type Phase = 'enter' | 'cleared' | 'begun' | 'wait' | 'retry'

/** What others have asked of an open run. */
export type Interrupt =
  | { type: 'move'; handler: string; event: EventRecord }
  | { type: 'release' }
  /** `leaves`: it leaves the wait that is over first, by the way of the event. */
  | { type: 'resume'; node: string; leaves?: boolean }

/** A run as it is stored. */
export interface Run {
  account: AccountId
  id: string
  workflow: number
  version: number
  contact: number | null
  entryKey: string | null
  status: OpenStatus | EndStatus
  reason: string | null
  outcome: string | null
  node: string
  phase: Phase
  visit: number
  attempt: number
  enteredAt: Date | null
  needed: number
  /** What its pause remembers. */
  memo: unknown
  steps: number
  visits: Record<string, number>
  data: Record<string, unknown>
  state: Record<string, unknown>
  variables: Record<string, unknown>
  event: Record<string, unknown> | null
  last: Last | null
  sends: Record<string, string> | null
  startType: 'execution' | 'listener' | 'task'
  startId: string | null
  depth: number
  stamp: string
  stampTime: Date
  thread: string
  set: string
  mark: Place
  wake: Date | null
  expiresAt: Date
  moves: number
  interrupt: Interrupt | null
  goal: string | null
  createdAt: Date
  updatedAt: Date
  endedAt: Date | null
}

/** What names a run. */
export type RunKey = Pick<Run, 'account' | 'id'>

export const isOpen = ({ status }: Pick<Run, 'status'>): boolean => status === 'running' || status === 'waiting'

/** Names a visit of a node: the stamp of its send. */
export function visitId({ id, node, visit }: Pick<Run, 'id' | 'node' | 'visit'>): string {
  return namedUuid(`${id}:${node}:${visit}`)
}

/** The stamps among the `sends` of a run, each once: times of sends and events that waits were left by stand beside them. */
export function stampsOf(sends: Readonly<Record<string, string>> | null): string[] {
  const stamps = Object.entries(sends ?? {}).flatMap(([name, value]) => (/^(?:at|after) /.test(name) ? [] : [value]))
  return [...new Set(stamps)]
}

/** One node in the trace. */
export interface TraceEntry {
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
