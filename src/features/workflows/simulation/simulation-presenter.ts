import { showTraceEntry } from '../runs/read-runs.ts'
import type { SimulatedRun } from './run-simulator.ts'
import type { SimulationOutcome } from './simulate-run.ts'

/** Shows the result of a simulated run. `nodes` limits the trace to these nodes; `undefined` includes all. */
export function showSimulatedRun({ run, clock, trace, effects }: SimulatedRun, nodes?: ReadonlySet<string>) {
  const { status, reason, outcome, node, variables } = run
  return {
    status,
    reason,
    outcome,
    node,
    clock: new Date(clock).toISOString(),
    variables,
    trace: trace.filter((entry) => nodes?.has(entry.node) ?? true).map(showTraceEntry),
    effects,
  }
}

/** The result of a simulation, as it is answered. */
export function showSimulationResult(tried: SimulationOutcome): object {
  if (tried.type !== 'simulated') return { type: 'error', value: tried }
  const { simulated } = tried
  const shownRun = showSimulatedRun(simulated)
  return simulated.error ? { type: 'error', value: simulated.error, ...shownRun } : { type: 'success', ...shownRun }
}
