import type { CallAnswer, CallRequest, FromThread, Work } from './messages.ts'

/** How work ended. `done`: by itself; `spoilt`: with an engine that failed; all others: without an end of its own. */
export type Ended = 'done' | 'spoilt' | 'busy' | 'budget' | 'cpu' | 'wall' | 'memory'

export interface Task {
  account: number
  work: Work
  /** Of each part of the work that is told by a message. */
  cpuMs: number
  /** Of its waits for the host, all together. */
  wallMs: number
  signal?: AbortSignal
  /** Another run of the account waits for it: it goes before others, and beyond what an account has. */
  isNested?: boolean
  onMessage(message: Told): void
  /** Told of the processor time of each round, in milliseconds. */
  onSpent?(cpuMs: number): void
  onCalls(calls: CallRequest[], reply: (answer: CallAnswer) => void): void
}

/** What a thread tells of its work. */
export type Told = Exclude<FromThread, { type: 'ready' | 'waits' }>

/** Has work done. Rejects when a thread failed by a mistake of the service. */
export type Submit = (task: Task) => Promise<Ended>
