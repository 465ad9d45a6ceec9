import '@xyflow/react/dist/base.css'
import { Background, Controls, MiniMap, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import { type DragEvent, useEffect, useRef } from 'react'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiWorkflowStatistics } from '../calls.ts'
import type { WorkflowNodeChange } from '../model/difference.ts'
import type { WorkflowFormNode } from '../model/graph.ts'
import {
  findGraphBounds,
  findGraphStart,
  NODE_HEIGHT_PX,
  NODE_WIDTH_PX,
  type NodePosition,
  type NodePositions,
} from '../model/layout.ts'
import { workflowTexts } from '../texts.ts'
import styles from '../WorkflowsPage.module.css'
import { DRAGGED_NODE_MIME_TYPE } from './dragged.ts'
import { GraphNode } from './GraphNode.tsx'
import { useGraphDrawing } from './use-drawing.ts'
import { type GraphLayout, useGraphLayout } from './use-layout.ts'

/** The link to the library's site is left out: an installation leads nobody to the internet. */
const NO_ATTRIBUTION = { hideAttribution: true }

/** A way out of a node, by where its target stands. */
export interface NodeOutputRef {
  from: string
  at: string
}

/** What may be changed of a graph. */
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
  /** Another number: laid out anew. */
  round?: number
  /** Where nodes were dropped. */
  dropped?: NodePositions
  /** Brought into the middle, each time it is another object. */
  shown?: { id: string } | undefined
}

const MAP_ABOVE = 30
const LEAST_ZOOM = 0.75
const PADDING = 24
const NODE_TYPES = { step: GraphNode }
const DELETE_KEYS = ['Delete', 'Backspace']
const EASY_DRAG = 4

/** Shows a graph so that it can be read: whole where it fits, else from its first nodes on. */
function useView(places: NodePositions, round: number, { steps, shown }: WorkflowGraphProps) {
  const flow = useReactFlow()
  const box = useRef<HTMLElement>(null)
  const latest = useRef(places)
  latest.current = places
  const open = (): void => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = box.current ?? {}
    const bounds = findGraphBounds(steps, latest.current)
    const fit = Math.min((width - 2 * PADDING) / bounds.width, (height - 2 * PADDING) / bounds.height, 1)
    const zoom = Math.max(fit, LEAST_ZOOM)
    const first = findGraphStart(steps, latest.current)
    const middle = fit >= LEAST_ZOOM ? bounds.x + bounds.width / 2 : first.x + NODE_WIDTH_PX / 2
    void flow.setViewport({ x: width / 2 - middle * zoom, y: PADDING - bounds.y * zoom, zoom })
  }
  const reopen = useRef(open)
  reopen.current = open
  const opened = useRef(round)
  useEffect(() => {
    if (opened.current !== round) reopen.current()
    opened.current = round
  }, [round])
  useEffect(() => {
    const place = shown && latest.current[shown.id]
    if (place)
      void flow.setCenter(place.x + NODE_WIDTH_PX / 2, place.y + NODE_HEIGHT_PX / 2, {
        zoom: Math.max(flow.getZoom(), LEAST_ZOOM),
      })
  }, [shown, flow])
  return { box, open, placeAt: flow.screenToFlowPosition }
}

type FlowProps = WorkflowGraphProps & { places: NodePositions; laid: GraphLayout }

function Flow({ places, laid, ...props }: FlowProps) {
  const t = useTranslator(workflowTexts)
  const { steps, edit, onSelect } = props
  const drawing = useGraphDrawing(props, places, laid.move)
  const { box, open, placeAt } = useView(places, laid.round, props)
  const drop = (event: DragEvent): void => {
    const type = event.dataTransfer.getData(DRAGGED_NODE_MIME_TYPE)
    if (!edit || type === '') return
    event.preventDefault()
    const { x, y } = placeAt({ x: event.clientX, y: event.clientY })
    edit.insert(type, { x: x - NODE_WIDTH_PX / 2, y: y - NODE_HEIGHT_PX / 2 })
  }
  return (
    <section
      ref={box}
      className={styles['canvas']}
      aria-label={t('graph')}
      onDragOver={(event) => edit && event.preventDefault()}
      onDrop={drop}
    >
      <ReactFlow
        {...drawing}
        proOptions={NO_ATTRIBUTION}
        nodeTypes={NODE_TYPES}
        onInit={open}
        onDelete={({ nodes, edges }) => {
          const ways = edges.map(({ source, sourceHandle }) => ({ from: source, at: sourceHandle ?? '/next' }))
          const ids = nodes.map(({ id }) => id)
          edit?.remove(ids, ways)
        }}
        onConnect={({ source, sourceHandle, target }) =>
          edit?.connect({ from: source, at: sourceHandle ?? '/next' }, target)
        }
        nodesConnectable={edit !== undefined}
        elementsSelectable={onSelect !== undefined}
        deleteKeyCode={edit ? DELETE_KEYS : null}
        nodeDragThreshold={EASY_DRAG}
        onlyRenderVisibleElements
        minZoom={0.05}
      >
        <Background />
        <Controls showInteractive={false} />
        {steps.length > MAP_ABOVE && <MiniMap pannable zoomable ariaLabel={t('map')} />}
        <BusyWord isBusy={laid.isBusy} count={steps.length} />
      </ReactFlow>
    </section>
  )
}

/** That the graph is laid out now. */
function BusyWord({ isBusy, count }: { isBusy: boolean; count: number }) {
  const t = useTranslator(workflowTexts)
  return (
    <p className={styles['busyWord']} role="status">
      {isBusy && t('layingOut', { count })}
    </p>
  )
}

/** The graph as it is drawn, once its nodes stand somewhere. */
export default function WorkflowCanvas(props: WorkflowGraphProps) {
  const t = useTranslator(workflowTexts)
  const { steps, round = 0, dropped } = props
  const laid = useGraphLayout(steps, round, dropped)
  if (!laid.places)
    return (
      <section className={styles['canvas']} aria-label={t('graph')} aria-busy>
        <BusyWord isBusy count={steps.length} />
      </section>
    )
  return (
    <ReactFlowProvider>
      <Flow {...props} places={laid.places} laid={laid} />
    </ReactFlowProvider>
  )
}
