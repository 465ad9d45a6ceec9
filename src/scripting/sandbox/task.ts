import type { HostCallAnswer, HostCallRequest, SandboxWork, ThreadMessage } from './messages.ts'

/** The way work ended. `done`: by itself; `spoilt`: with an engine that failed; all others: it was stopped. */
export type SandboxWorkEnd = 'done' | 'spoilt' | 'busy' | 'budget' | 'cpu' | 'wall' | 'memory'

export interface SandboxTask {
  account: number
  work: SandboxWork
  /** Limit of the processor time of each part of the work that a message reports. */
  cpuMs: number
  /** Limit of all its waits for the host together. */
  wallMs: number
  signal?: AbortSignal
  /** True if another run of the account waits for it: it goes first, and does not count towards the account's share. */
  isNested?: boolean
  onMessage(message: SandboxWorkMessage): void
  /** Receives the processor time of each round, in milliseconds. */
  onSpent?(cpuMs: number): void
  onCalls(calls: HostCallRequest[], reply: (answer: HostCallAnswer) => void): void
}

/** The messages of a thread about its work. */
export type SandboxWorkMessage = Exclude<ThreadMessage, { type: 'ready' | 'waits' }>

/** Runs work in a thread. Rejects if the thread failed because of a fault in the service. */
export type SubmitSandboxTask = (task: SandboxTask) => Promise<SandboxWorkEnd>
