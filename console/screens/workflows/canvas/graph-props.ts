import type { ApiWorkflowStatistics } from '../calls.ts'
import type { WorkflowNodeChange } from '../model/difference.ts'
import type { WorkflowFormNode } from '../model/graph.ts'
import type { NodePosition, NodePositions } from '../model/layout.ts'

/** A way out of a node, by where its target stands. */
export interface NodeOutputRef {
  from: string
  at: string
}

/** Editing operations of a graph. */
export interface WorkflowGraphEdit {
  connect(way: NodeOutputRef, to: string | null): void
  /** `place`: where it was dropped. */
  insert(type: string, place?: NodePosition): void
  remove(ids: readonly string[], ways: readonly NodeOutputRef[]): void
}

export interface WorkflowGraphProps {
  steps: readonly WorkflowFormNode[]
  selected?: ReadonlySet<string>
  flaws?: ReadonlyMap<string, string>
  statistics?: ApiWorkflowStatistics['nodes'] | undefined
  changes?: ReadonlyMap<string, WorkflowNodeChange>
  /** A line of a node in the place of that of its settings, such as what an experiment found. */
  notes?: ReadonlyMap<string, string>
  /** Nodes on the way of a run, in order. */
  path?: readonly string[]
  onSelect?(ids: string[]): void
  /** Absent: nothing can be changed. */
  edit?: WorkflowGraphEdit
  /** Layout request number: a different number computes the layout again. */
  round?: number
  /** Positions of dropped nodes. */
  dropped?: NodePositions
  /** Brought into the middle, each time it is another object. */
  shown?: { id: string } | undefined
}
