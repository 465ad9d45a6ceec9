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
import type { GraphLayout } from './use-layout.ts'
import type { WorkflowGraphProps } from './WorkflowCanvas.tsx'

const DOT = { width: 10, height: 10 }

/** Where edges join a node: given, so that nothing has to be measured and edges of nodes out of sight are drawn. */
function handlesOf(outputs: readonly WorkflowNodeOutput[]): NodeHandle[] {
  return [
    { type: 'target', position: Position.Top, x: NODE_WIDTH_PX / 2 - 5, y: -5, ...DOT },
    ...outputs.map(({ at }, n) => ({
      ...{ id: at, type: 'source' as const, position: Position.Bottom, y: NODE_HEIGHT_PX - 5, ...DOT },
      x: (NODE_WIDTH_PX * (n + 1)) / (outputs.length + 1) - 5,
    })),
  ]
}

type Facts = Pick<GraphNodeData, 'step' | 'flaw' | 'count' | 'change' | 'note' | 'isLit'> & {
  place: NodePosition
  isSelected: boolean
}

function drawn({ place: { x, y }, isSelected, ...data }: Facts): GraphNodeType {
  const outputs = listNodeOutputs(data.step)
  return {
    ...{ id: data.step.id, type: 'step', position: { x, y }, selected: isSelected },
    ...{
      width: NODE_WIDTH_PX,
      height: NODE_HEIGHT_PX,
      measured: { width: NODE_WIDTH_PX, height: NODE_HEIGHT_PX },
      handles: handlesOf(outputs),
    },
    ariaLabel: data.step.name || data.step.id,
    data: { ...data, outputs },
  }
}

const isSame = (a: Facts, b: Facts): boolean => (Object.keys(b) as (keyof Facts)[]).every((key) => a[key] === b[key])

/** Nodes as they are drawn; one of which nothing changed is the same object, so that it is not drawn again. */
function useNodes(props: WorkflowGraphProps, places: NodePositions): GraphNodeType[] {
  const { steps, selected, flaws, statistics, changes, path, notes } = props
  const known = useRef(new Map<string, { facts: Facts; node: GraphNodeType }>())
  return useMemo(() => {
    const counts = new Map(statistics?.map(({ id, current }) => [id, current]))
    const lit = new Set(path)
    const next: typeof known.current = new Map()
    for (const step of steps) {
      const { id } = step
      const facts: Facts = {
        ...{ step, place: places[id] ?? { x: 0, y: 0 }, isSelected: selected?.has(id) ?? false, isLit: lit.has(id) },
        ...{ flaw: flaws?.get(id), count: counts.get(id), change: changes?.get(id), note: notes?.get(id) },
      }
      const before = known.current.get(id)
      next.set(id, before && isSame(before.facts, facts) ? before : { facts, node: drawn(facts) })
    }
    known.current = next
    return [...next.values()].map(({ node }) => node)
  }, [steps, places, selected, flaws, statistics, changes, path, notes])
}

const edgeId = (from: string, at: string): string => `${from}\n${at}`

function useEdges({ steps, path, statistics }: WorkflowGraphProps, chosen: ReadonlySet<string>): Edge[] {
  const t = useTranslator(workflowTexts)
  const format = useLocaleFormat()
  return useMemo(() => {
    const known = new Set(steps.map(({ id }) => id))
    const lit = new Set(path?.slice(1).map((id, n) => edgeId(path[n] ?? '', id)))
    const counts = new Map(statistics?.map(({ id, outputs }) => [id, outputs]))
    const edgesOf = (step: WorkflowFormNode): Edge[] =>
      listNodeOutputs(step).flatMap(({ at, label, target }) => {
        if (target === null || !known.has(target)) return []
        const count = counts.get(step.id)?.[target]
        const id = edgeId(step.id, at)
        return {
          ...{ id, source: step.id, sourceHandle: at, target, type: 'smoothstep', selected: chosen.has(id) },
          label: [label === 'next' ? '' : nodeOutputLabel(t, label), count ? format.number(count) : '']
            .filter(Boolean)
            .join(' · '),
          markerEnd: { type: MarkerType.ArrowClosed },
          className: lit.has(edgeId(step.id, target)) ? (styles['litEdge'] ?? '') : '',
        }
      })
    return steps.flatMap(edgesOf)
  }, [steps, path, statistics, t, format, chosen])
}

interface Chosen {
  type: string
  id?: string
  selected?: boolean
}

/** What is chosen after some changes; null: as before. */
function chosenAfter(before: ReadonlySet<string>, changes: readonly Chosen[]): Set<string> | null {
  const after = new Set(before)
  for (const { type, id = '', selected } of changes)
    if (type === 'select') {
      if (selected) after.add(id)
      else after.delete(id)
    }
  return after.size === before.size && [...after].every((id) => before.has(id)) ? null : after
}

const NOTHING: ReadonlySet<string> = new Set()

/**
 * The nodes and edges of a graph as they are drawn. What is selected is kept by the caller alone, and is told what was pressed: nothing that is
 * drawn is told back, so that the two can never answer each other without end.
 */
export function useGraphDrawing(props: WorkflowGraphProps, places: NodePositions, move: GraphLayout['move']) {
  const { selected = NOTHING, onSelect } = props
  const [chosenEdges, setChosenEdges] = useState(NOTHING)
  const latest = useRef({ selected, chosenEdges })
  latest.current = { selected, chosenEdges }
  const moved = (changes: readonly NodeChange<GraphNodeType>[]): void => {
    const moves = changes.flatMap((change) =>
      change.type === 'position' && change.position ? [[change.id, change.position] as const] : [],
    )
    if (moves.length > 0) move(Object.fromEntries(moves))
  }
  return {
    nodes: useNodes(props, places),
    edges: useEdges(props, chosenEdges),
    onNodesChange: (changes: NodeChange<GraphNodeType>[]) => {
      moved(changes)
      const next = chosenAfter(latest.current.selected, changes)
      if (!next) return
      latest.current.selected = next
      onSelect?.([...next])
    },
    onEdgesChange: (changes: Chosen[]) => {
      const next = chosenAfter(latest.current.chosenEdges, changes)
      if (!next) return
      latest.current.chosenEdges = next
      setChosenEdges(next)
    },
  }
}
