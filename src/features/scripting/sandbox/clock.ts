import { threadCpuMs } from '../../../lib/thread-limit.ts'

/** Measures what a run computes, and says when it is over. Waiting is not counted as CPU. */
export interface Clock {
  /** The run has its turn. */
  begin(): void
  /** It gives its turn up. */
  pause(): void
  /** What was computed so far counts no more. */
  forget(): void
  /** CPU of the turns so far, in milliseconds. */
  cpuMs(): number
  /** Milliseconds since the clock was made. */
  elapsedMs(): number
  /** The limit that is passed. */
  passed(): 'cpu' | 'wall' | undefined
}

export function startClock({ cpuMs, wallMs }: { cpuMs: number; wallMs: number }): Clock {
  const started = performance.now()
  let spent = 0
  let turn = { cpu: 0, at: 0 }
  const cpuOfTurn = () => threadCpuMs() - turn.cpu

  return {
    begin() {
      turn = { cpu: threadCpuMs(), at: performance.now() }
    },
    pause() {
      spent += cpuOfTurn()
    },
    forget() {
      spent = 0
    },
    cpuMs: () => spent,
    elapsedMs: () => performance.now() - started,
    passed() {
      const now = performance.now()
      if (now - started > wallMs) return 'wall'
      // No thread computes longer than time goes by; asking for its CPU takes longer than asking for the time.
      return spent + now - turn.at > cpuMs && spent + cpuOfTurn() > cpuMs ? 'cpu' : undefined
    },
  }
}
