import type { StoredEventFilter } from '../definition/event-filters.ts'
import type { StoredWorkflowNode } from './node-type.ts'

/** The filters of a node: `''` of a wait or goal, `metric` of an experiment, else by the id of the wait. */
export function listNodeFilters({ settings }: Pick<StoredWorkflowNode, 'settings'>): [string, StoredEventFilter][] {
  const { event, waits, metric } = settings as {
    event?: StoredEventFilter | null
    waits?: readonly { id: string; event: StoredEventFilter | null }[] | null
    metric?: StoredEventFilter | null
  }
  return [
    ...(event ? ([['', event]] as [string, StoredEventFilter][]) : []),
    ...(metric ? ([['metric', metric]] as [string, StoredEventFilter][]) : []),
    ...(waits ?? []).flatMap(({ id, event: waitEvent }): [string, StoredEventFilter][] =>
      waitEvent ? [[id, waitEvent]] : [],
    ),
  ]
}
