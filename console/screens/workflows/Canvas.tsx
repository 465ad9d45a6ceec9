import '@xyflow/react/dist/base.css'
import {
  applyNodeChanges,
  Background,
  type Connection,
  Controls,
  type Edge,
  MarkerType,
  MiniMap,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react'
import { type DragEvent, useCallback, useEffect, useMemo, useState } from 'react'
import { useText } from '../../text/catalogue.ts'
import type { Statistics } from './calls.ts'
import { DRAGGED_TYPE } from './dragged.ts'
import type { Change } from './model/difference.ts'
import { outputsOf, type Step } from './model/graph.ts'
import { completed, laidOut, type Places } from './model/layout.ts'
import { StepNode, type StepNodeType } from './StepNode.tsx'
import { workflowTexts } from './texts.ts'
import { outputWords } from './type-words.ts'
import styles from './Workflows.module.css'

/** The link to the library's site is left out: an installation leads nobody to the internet. */
const NO_ATTRIBUTION = { hideAttribution: true }

export interface GraphProps {
  steps: readonly Step[]
  selected?: ReadonlySet<string>
  flaws?: ReadonlyMap<string, string>
  statistics?: Statistics['nodes'] | undefined
  changes?: ReadonlyMap<string, Change>
  /** Nodes on the way of a run, in order. */
  path?: readonly string[]
  onSelect?(ids: string[]): void
  /** Absent: nothing can be changed. */
  edit?: {
    connect(from: string, at: string, to: string | null): void
    insert(type: string): void
    remove(ids: string[]): void
  }
  /** Another number: laid out anew. */
  round?: number
}

const MAP_ABOVE = 30
const NODE_TYPES = { step: StepNode }

/** Where nodes stand: laid out at first, then where somebody moved them, until they are laid out anew. */
function usePlaces(steps: readonly Step[], round: number) {
  const [state, setState] = useState<{ round: number; places: Places }>(() => ({ round, places: laidOut(steps) }))
  const places = useMemo(
    () => (state.round === round ? completed(state.places, steps) : laidOut(steps)),
    [state, steps, round],
  )
  return { places, keep: (next: Places) => setState({ round, places: next }) }
}

function useEdges({ steps, path = [], statistics }: GraphProps): Edge[] {
  const t = useText(workflowTexts)
  return useMemo(() => {
    const known = new Set(steps.map(({ id }) => id))
    const lit = new Set(path.slice(1).map((id, n) => `${path[n]}\n${id}`))
    const counts = new Map(statistics?.map(({ id, outputs }) => [id, outputs]))
    return steps.flatMap((step) =>
      outputsOf(step).flatMap(({ at, label, target }): Edge[] => {
        if (target === null || !known.has(target)) return []
        const count = counts.get(step.id)?.[target]
        const words = label === 'next' ? '' : outputWords(t, label)
        return [
          {
            id: `${step.id}\n${at}`,
            ...{ source: step.id, sourceHandle: at, target, type: 'smoothstep' },
            label: [words, count].filter(Boolean).join(' · '),
            markerEnd: { type: MarkerType.ArrowClosed },
            className: lit.has(`${step.id}\n${target}`) ? (styles['litEdge'] ?? '') : '',
          },
        ]
      }),
    )
  }, [steps, path, statistics, t])
}

function useNodes({ steps, selected, flaws, statistics, changes, path, round = 0 }: GraphProps) {
  const { places, keep } = usePlaces(steps, round)
  const made = useMemo(() => {
    const counts = new Map(statistics?.map(({ id, current }) => [id, current]))
    const lit = new Set(path)
    return steps.map(
      (step): StepNodeType => ({
        ...{ id: step.id, type: 'step', position: places[step.id] ?? { x: 0, y: 0 }, width: 220, height: 64 },
        selected: selected?.has(step.id) ?? false,
        ariaLabel: step.name || step.id,
        data: {
          ...{ step, outputs: outputsOf(step), isLit: lit.has(step.id) },
          ...{ flaw: flaws?.get(step.id), count: counts.get(step.id), change: changes?.get(step.id) },
        },
      }),
    )
  }, [steps, places, selected, flaws, statistics, changes, path])
  const [nodes, setNodes] = useState(made)
  useEffect(() => setNodes(made), [made])
  const onNodesChange = useCallback(
    (all: NodeChange<StepNodeType>[]) => setNodes((before) => applyNodeChanges(all, before)),
    [],
  )
  const onNodeDragStop = useCallback(
    (_: unknown, __: unknown, moved: StepNodeType[]) =>
      keep({ ...places, ...Object.fromEntries(moved.map(({ id, position }) => [id, position])) }),
    [places, keep],
  )
  return { nodes, onNodesChange, onNodeDragStop }
}

function Flow(props: GraphProps) {
  const t = useText(workflowTexts)
  const { steps, edit, onSelect, round = 0 } = props
  const { fitView } = useReactFlow()
  const { nodes, onNodesChange, onNodeDragStop } = useNodes(props)
  useEffect(() => {
    if (round > 0) requestAnimationFrame(() => void fitView())
  }, [round, fitView])
  const choose = (ids: string[]): void => onSelect?.(ids)
  const drop = (event: DragEvent): void => {
    const type = event.dataTransfer.getData(DRAGGED_TYPE)
    if (!edit || type === '') return
    event.preventDefault()
    edit.insert(type)
  }
  return (
    <section
      className={styles['canvas']}
      aria-label={t('graph')}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <ReactFlow
        proOptions={NO_ATTRIBUTION}
        nodes={nodes}
        edges={useEdges(props)}
        nodeTypes={NODE_TYPES}
        onNodesChange={onNodesChange}
        onNodeDragStop={onNodeDragStop}
        onNodeClick={(event, { id }) => choose(event.shiftKey ? [...(props.selected ?? []), id] : [id])}
        onNodesDelete={(gone) => edit?.remove(gone.map(({ id }) => id))}
        onEdgesDelete={(gone) => {
          for (const { source, sourceHandle } of gone) edit?.connect(source, sourceHandle ?? '/next', null)
        }}
        onConnect={({ source, sourceHandle, target }: Connection) =>
          edit?.connect(source, sourceHandle ?? '/next', target)
        }
        onPaneClick={() => choose([])}
        onSelectionChange={({ nodes: chosen }) => {
          const isSame =
            chosen.length === (props.selected?.size ?? 0) && chosen.every(({ id }) => props.selected?.has(id))
          if (!isSame && chosen.length > 0) choose(chosen.map(({ id }) => id))
        }}
        nodesConnectable={edit !== undefined}
        deleteKeyCode={edit ? ['Delete', 'Backspace'] : null}
        onlyRenderVisibleElements
        fitView
        fitViewOptions={{ maxZoom: 1, minZoom: 0.4 }}
        minZoom={0.05}
      >
        <Background />
        <Controls showInteractive={false} />
        {steps.length > MAP_ABOVE && <MiniMap pannable zoomable ariaLabel={t('map')} />}
      </ReactFlow>
    </section>
  )
}

/** The graph as it is drawn. */
export default function Canvas(props: GraphProps) {
  return (
    <ReactFlowProvider>
      <Flow {...props} />
    </ReactFlowProvider>
  )
}
