import type { CallAnswer, CallRequest, FromThread, Work } from './messages.ts'

/** The way work ended. `done`: by itself; `spoilt`: with an engine that failed; all others: it was stopped. */
export type Ended = 'done' | 'spoilt' | 'busy' | 'budget' | 'cpu' | 'wall' | 'memory'

export interface Task {
  account: number
  work: Work
  /** Limit of the processor time of each part of the work that a message reports. */
  cpuMs: number
  /** Limit of all its waits for the host together. */
  wallMs: number
  signal?: AbortSignal
  /** True if another run of the account waits for it: it goes first, and does not count towards the account's share. */
  isNested?: boolean
  onMessage(message: Told): void
  /** Receives the processor time of each round, in milliseconds. */
  onSpent?(cpuMs: number): void
  onCalls(calls: CallRequest[], reply: (answer: CallAnswer) => void): void
}

/** The messages of a thread about its work. */
export type Told = Exclude<FromThread, { type: 'ready' | 'waits' }>

/** Runs work in a thread. Rejects if the thread failed because of a fault in the service. */
export type Submit = (task: Task) => Promise<Ended>
