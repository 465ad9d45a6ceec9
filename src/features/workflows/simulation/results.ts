import { showEntry } from '../runs/reading.ts'
import type { Simulated } from './simulate.ts'
import type { Tried } from './simulations.ts'

/** How a simulated run went, as it is answered. `nodes`: whose trace is kept; undefined: all. */
export function showSimulated({ run, clock, trace, effects }: Simulated, nodes?: ReadonlySet<string>) {
  const { status, reason, outcome, node, variables } = run
  return {
    ...{ status, reason, outcome, node, clock: new Date(clock).toISOString(), variables },
    trace: trace.filter((entry) => nodes?.has(entry.node) ?? true).map(showEntry),
    effects,
  }
}

/** The result of a simulation, as it is answered. */
export function showTried(tried: Tried): object {
  if (tried.type !== 'simulated') return { type: 'error', value: tried }
  const { simulated } = tried
  const shown = showSimulated(simulated)
  return simulated.error ? { type: 'error', value: simulated.error, ...shown } : { type: 'success', ...shown }
}
