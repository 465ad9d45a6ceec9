import type { EventFilter } from '../definition/event-filters.ts'
import type { WorkflowNode } from './node-type.ts'

/** The filters of a node: `''` of a wait or goal, `metric` of an experiment, else by the id of the wait. */
export function filtersOfNode({ settings }: Pick<WorkflowNode, 'settings'>): [string, EventFilter][] {
  const { event, waits, metric } = settings as {
    event?: EventFilter | null
    waits?: readonly { id: string; event: EventFilter | null }[] | null
    metric?: EventFilter | null
  }
  return [
    ...(event ? ([['', event]] as [string, EventFilter][]) : []),
    ...(metric ? ([['metric', metric]] as [string, EventFilter][]) : []),
    ...(waits ?? []).flatMap(({ id, event: own }): [string, EventFilter][] => (own ? [[id, own]] : [])),
  ]
}
