import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import type { WorkflowExecutionItem } from '../starts/execution-schemas.ts'
import type { SimulateExecutionItems } from '../starts/start-executions.ts'
import { loadSimulatedDefinition, runSimulation, type SimulationOutcome } from './simulate-run.ts'
import { showSimulatedRun } from './simulation-presenter.ts'

const MAX_DEBUG_NODES = 10_000

/** The nodes whose trace a `debug` asks for; undefined: all. */
function listDebugNodes({ debug }: WorkflowExecutionItem): Set<string> | undefined {
  const debugNodeIds = (debug?.nodes ?? []).flatMap((node) => {
    const id = typeof node === 'string' ? node : (node as { id?: unknown } | null)?.id
    return typeof id === 'string' ? [id] : []
  })
  return debugNodeIds.length === 0 ? undefined : new Set(debugNodeIds)
}

function toDebugResult(item: WorkflowExecutionItem, simulationOutcome: SimulationOutcome): object {
  if (simulationOutcome.type !== 'simulated') return { type: 'error', value: simulationOutcome }
  const { simulated, contact } = simulationOutcome
  const debug = showSimulatedRun(simulated, listDebugNodes(item))
  if (simulated.error) return { type: 'error', value: simulated.error, debug }
  return { type: 'success', id: simulated.run.id, receiver: contact, debug }
}

/** Simulates items of executions that have `debug`, on the stored definition. */
export function createItemSimulator(context: WorkflowEngineContext): SimulateExecutionItems {
  return async (key, items) => {
    const definition = await loadSimulatedDefinition(context, key)
    const results: object[] = []
    for (const { item, pointer } of items) {
      const { receiver, node, event, data, state, variables, debug } = item
      const simulationOutcome = await runSimulation(context, definition, {
        receiver: receiver ?? null,
        node: node ?? null,
        event: event ?? null,
        data: data ?? {},
        state: state ?? {},
        variables: Object.fromEntries(
          (variables ?? []).map((variableEntry) => [variableEntry.key, variableEntry.value]),
        ),
        clock: context.clock.now(),
        events: [],
        responses: {},
        pointer,
        maxNodes: Math.min(debug?.ttl ?? MAX_DEBUG_NODES, MAX_DEBUG_NODES),
      })
      results.push(toDebugResult(item, simulationOutcome))
    }
    return results
  }
}
