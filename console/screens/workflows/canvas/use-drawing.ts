import { type Edge, MarkerType, type NodeChange, type NodeHandle, Position } from '@xyflow/react'
import { useMemo, useRef, useState } from 'react'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { listNodeOutputs, type WorkflowFormNode, type WorkflowNodeOutput } from '../model/graph.ts'
import { NODE_HEIGHT_PX, NODE_WIDTH_PX, type NodePosition, type NodePositions } from '../model/layout.ts'
import { workflowTexts } from '../texts.ts'
import { nodeOutputLabel } from '../type-words.ts'
import styles from '../WorkflowsPage.module.css'
import type { GraphNodeData, GraphNodeType } from './GraphNode.tsx'
import type { WorkflowGraphProps } from './graph-props.ts'
import type { GraphLayout } from './use-layout.ts'

const HANDLE_SIZE_PX = { width: 10, height: 10 }

/** Handles at which edges join a node: explicit, so that nothing has to be measured and edges of nodes outside the viewport are drawn. */
function createHandles(outputs: readonly WorkflowNodeOutput[]): NodeHandle[] {
  return [
    { type: 'target', position: Position.Top, x: NODE_WIDTH_PX / 2 - 5, y: -5, ...HANDLE_SIZE_PX },
    ...outputs.map(({ at }, n) => ({
      id: at,
      type: 'source' as const,
      position: Position.Bottom,
      y: NODE_HEIGHT_PX - 5,
      ...HANDLE_SIZE_PX,
      x: (NODE_WIDTH_PX * (n + 1)) / (outputs.length + 1) - 5,
    })),
  ]
}

type NodeViewData = Pick<GraphNodeData, 'step' | 'flaw' | 'count' | 'change' | 'note' | 'isLit'> & {
  place: NodePosition
  isSelected: boolean
}

function createGraphNode({ place: { x, y }, isSelected, ...data }: NodeViewData): GraphNodeType {
  const outputs = listNodeOutputs(data.step)
  return {
    id: data.step.id,
    type: 'step',
    position: { x, y },
    selected: isSelected,
    width: NODE_WIDTH_PX,
    height: NODE_HEIGHT_PX,
    measured: { width: NODE_WIDTH_PX, height: NODE_HEIGHT_PX },
    handles: createHandles(outputs),
    ariaLabel: data.step.name || data.step.id,
    data: { ...data, outputs },
  }
}

const hasSameViewData = (a: NodeViewData, b: NodeViewData): boolean =>
  (Object.keys(b) as (keyof NodeViewData)[]).every((key) => a[key] === b[key])

/** Nodes as they are drawn; one of which nothing changed is the same object, so that it is not drawn again. */
function useGraphNodes(props: WorkflowGraphProps, places: NodePositions): GraphNodeType[] {
  const { steps, selected, flaws, statistics, changes, path, notes } = props
  const cachedNodes = useRef(new Map<string, { facts: NodeViewData; node: GraphNodeType }>())
  return useMemo(() => {
    const runCounts = new Map(statistics?.map(({ id, current }) => [id, current]))
    const pathNodes = new Set(path)
    const nextCache: typeof cachedNodes.current = new Map()
    for (const step of steps) {
      const { id } = step
      const nodeViewData: NodeViewData = {
        step,
        place: places[id] ?? { x: 0, y: 0 },
        isSelected: selected?.has(id) ?? false,
        isLit: pathNodes.has(id),
        flaw: flaws?.get(id),
        count: runCounts.get(id),
        change: changes?.get(id),
        note: notes?.get(id),
      }
      const cachedNode = cachedNodes.current.get(id)
      nextCache.set(
        id,
        cachedNode && hasSameViewData(cachedNode.facts, nodeViewData)
          ? cachedNode
          : { facts: nodeViewData, node: createGraphNode(nodeViewData) },
      )
    }
    cachedNodes.current = nextCache
    return [...nextCache.values()].map(({ node }) => node)
  }, [steps, places, selected, flaws, statistics, changes, path, notes])
}

const buildEdgeId = (from: string, at: string): string => `${from}\n${at}`

function useGraphEdges({ steps, path, statistics }: WorkflowGraphProps, selectedEdges: ReadonlySet<string>): Edge[] {
  const t = useTranslator(workflowTexts)
  const format = useLocaleFormat()
  return useMemo(() => {
    const existingIds = new Set(steps.map(({ id }) => id))
    const pathEdges = new Set(path?.slice(1).map((id, n) => buildEdgeId(path[n] ?? '', id)))
    const outputCounts = new Map(statistics?.map(({ id, outputs }) => [id, outputs]))
    const createEdges = (step: WorkflowFormNode): Edge[] =>
      listNodeOutputs(step).flatMap(({ at, label, target }) => {
        if (target === null || !existingIds.has(target)) return []
        const count = outputCounts.get(step.id)?.[target]
        const id = buildEdgeId(step.id, at)
        return {
          id,
          source: step.id,
          sourceHandle: at,
          target,
          type: 'smoothstep',
          selected: selectedEdges.has(id),
          label: [label === 'next' ? '' : nodeOutputLabel(t, label), count ? format.number(count) : '']
            .filter(Boolean)
            .join(' · '),
          markerEnd: { type: MarkerType.ArrowClosed },
          className: pathEdges.has(buildEdgeId(step.id, target)) ? (styles['litEdge'] ?? '') : '',
        }
      })
    return steps.flatMap(createEdges)
  }, [steps, path, statistics, t, format, selectedEdges])
}

interface SelectionChange {
  type: string
  id?: string
  selected?: boolean
}

/** Returns the selection after the changes; null if it is unchanged. */
function applySelection(before: ReadonlySet<string>, changes: readonly SelectionChange[]): Set<string> | null {
  const nextSelection = new Set(before)
  for (const { type, id = '', selected } of changes)
    if (type === 'select') {
      if (selected) nextSelection.add(id)
      else nextSelection.delete(id)
    }
  return nextSelection.size === before.size && [...nextSelection].every((id) => before.has(id)) ? null : nextSelection
}

const EMPTY_SELECTION: ReadonlySet<string> = new Set()

/**
 * Nodes and edges of a graph for rendering. The caller alone holds the selection, and receives what the user pressed. Rendering reports
 * nothing back, so that the two cannot trigger each other endlessly.
 */
export function useGraphDrawing(props: WorkflowGraphProps, places: NodePositions, move: GraphLayout['move']) {
  const { selected = EMPTY_SELECTION, onSelect } = props
  const [chosenEdges, setChosenEdges] = useState(EMPTY_SELECTION)
  const latestSelection = useRef({ selected, chosenEdges })
  latestSelection.current = { selected, chosenEdges }
  const handleMoves = (changes: readonly NodeChange<GraphNodeType>[]): void => {
    const movedPositions = changes.flatMap((change) =>
      change.type === 'position' && change.position ? [[change.id, change.position] as const] : [],
    )
    if (movedPositions.length > 0) move(Object.fromEntries(movedPositions))
  }
  return {
    nodes: useGraphNodes(props, places),
    edges: useGraphEdges(props, chosenEdges),
    onNodesChange: (changes: NodeChange<GraphNodeType>[]) => {
      handleMoves(changes)
      const nextSelected = applySelection(latestSelection.current.selected, changes)
      if (!nextSelected) return
      latestSelection.current.selected = nextSelected
      onSelect?.([...nextSelected])
    },
    onEdgesChange: (changes: SelectionChange[]) => {
      const nextSelected = applySelection(latestSelection.current.chosenEdges, changes)
      if (!nextSelected) return
      latestSelection.current.chosenEdges = nextSelected
      setChosenEdges(nextSelected)
    },
  }
}
