import '@xyflow/react/dist/base.css'
import { Background, Controls, MiniMap, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import { type DragEvent, useEffect, useRef } from 'react'
import { useTranslator } from '../../../text/catalogue.ts'
import { findGraphBounds, findGraphStart, NODE_HEIGHT_PX, NODE_WIDTH_PX, type NodePositions } from '../model/layout.ts'
import { workflowTexts } from '../texts.ts'
import styles from '../WorkflowsPage.module.css'
import { DRAGGED_NODE_MIME_TYPE } from './dragged.ts'
import { GraphNode } from './GraphNode.tsx'
import type { WorkflowGraphProps } from './graph-props.ts'
import { useGraphDrawing } from './use-drawing.ts'
import { type GraphLayout, useGraphLayout } from './use-layout.ts'

/** The link to the library's site is left out: an installation leads nobody to the internet. */
const NO_ATTRIBUTION = { hideAttribution: true }

const MINIMAP_MIN_NODES = 30
const MIN_READABLE_ZOOM = 0.75
const PADDING_PX = 24
const NODE_TYPES = { step: GraphNode }
const DELETE_KEYS = ['Delete', 'Backspace']
const DRAG_THRESHOLD_PX = 4

/** Shows a graph so that it can be read: whole where it fits, else from its first nodes on. */
function useViewport(places: NodePositions, round: number, { steps, shown: focusedNode }: WorkflowGraphProps) {
  const reactFlow = useReactFlow()
  const boxRef = useRef<HTMLElement>(null)
  const latestPlaces = useRef(places)
  latestPlaces.current = places
  const fitView = (): void => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = boxRef.current ?? {}
    const bounds = findGraphBounds(steps, latestPlaces.current)
    const fittingZoom = Math.min((width - 2 * PADDING_PX) / bounds.width, (height - 2 * PADDING_PX) / bounds.height, 1)
    const zoom = Math.max(fittingZoom, MIN_READABLE_ZOOM)
    const startPosition = findGraphStart(steps, latestPlaces.current)
    const centerX = fittingZoom >= MIN_READABLE_ZOOM ? bounds.x + bounds.width / 2 : startPosition.x + NODE_WIDTH_PX / 2
    void reactFlow.setViewport({ x: width / 2 - centerX * zoom, y: PADDING_PX - bounds.y * zoom, zoom })
  }
  const fitViewRef = useRef(fitView)
  fitViewRef.current = fitView
  const fittedRound = useRef(round)
  useEffect(() => {
    if (fittedRound.current !== round) fitViewRef.current()
    fittedRound.current = round
  }, [round])
  useEffect(() => {
    const nodePosition = focusedNode && latestPlaces.current[focusedNode.id]
    if (nodePosition)
      void reactFlow.setCenter(nodePosition.x + NODE_WIDTH_PX / 2, nodePosition.y + NODE_HEIGHT_PX / 2, {
        zoom: Math.max(reactFlow.getZoom(), MIN_READABLE_ZOOM),
      })
  }, [focusedNode, reactFlow])
  return { box: boxRef, open: fitView, placeAt: reactFlow.screenToFlowPosition }
}

type FlowProps = WorkflowGraphProps & { places: NodePositions; laid: GraphLayout }

function FlowCanvas({ places, laid, ...props }: FlowProps) {
  const t = useTranslator(workflowTexts)
  const { steps, edit, onSelect } = props
  const graphDrawing = useGraphDrawing(props, places, laid.move)
  const { box, open: fitView, placeAt } = useViewport(places, laid.round, props)
  const handleDrop = (event: DragEvent): void => {
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
      onDrop={handleDrop}
    >
      <ReactFlow
        {...graphDrawing}
        proOptions={NO_ATTRIBUTION}
        nodeTypes={NODE_TYPES}
        onInit={fitView}
        onDelete={({ nodes, edges }) => {
          const removedOutputs = edges.map(({ source, sourceHandle }) => ({
            from: source,
            at: sourceHandle ?? '/next',
          }))
          const removedIds = nodes.map(({ id }) => id)
          edit?.remove(removedIds, removedOutputs)
        }}
        onConnect={({ source, sourceHandle, target }) =>
          edit?.connect({ from: source, at: sourceHandle ?? '/next' }, target)
        }
        nodesConnectable={edit !== undefined}
        elementsSelectable={onSelect !== undefined}
        deleteKeyCode={edit ? DELETE_KEYS : null}
        nodeDragThreshold={DRAG_THRESHOLD_PX}
        onlyRenderVisibleElements
        minZoom={0.05}
      >
        <Background />
        <Controls showInteractive={false} />
        {steps.length > MINIMAP_MIN_NODES && <MiniMap pannable zoomable ariaLabel={t('map')} />}
        <LayoutStatus isBusy={laid.isBusy} count={steps.length} />
      </ReactFlow>
    </section>
  )
}

/** That the graph is laid out now. */
function LayoutStatus({ isBusy, count }: { isBusy: boolean; count: number }) {
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
  const layout = useGraphLayout(steps, round, dropped)
  if (!layout.places)
    return (
      <section className={styles['canvas']} aria-label={t('graph')} aria-busy>
        <LayoutStatus isBusy count={steps.length} />
      </section>
    )
  return (
    <ReactFlowProvider>
      <FlowCanvas {...props} places={layout.places} laid={layout} />
    </ReactFlowProvider>
  )
}
