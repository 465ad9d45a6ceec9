import '@xyflow/react/dist/base.css'
import { Background, Controls, MiniMap, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import { type DragEvent, useEffect, useRef } from 'react'
import { useText } from '../../../text/catalogue.ts'
import type { Statistics } from '../calls.ts'
import type { Change } from '../model/difference.ts'
import type { Step } from '../model/graph.ts'
import { boundsOf, HEIGHT, type Place, type Places, startOf, WIDTH } from '../model/layout.ts'
import { workflowTexts } from '../texts.ts'
import styles from '../Workflows.module.css'
import { DRAGGED_TYPE } from './dragged.ts'
import { StepNode } from './StepNode.tsx'
import { useDrawing } from './use-drawing.ts'
import { type Layout, useLayout } from './use-layout.ts'

/** The link to the library's site is left out: an installation leads nobody to the internet. */
const NO_ATTRIBUTION = { hideAttribution: true }

/** A way out of a node, by where its target stands. */
export interface Way {
  from: string
  at: string
}

/** What may be changed of a graph. */
export interface GraphEdit {
  connect(way: Way, to: string | null): void
  /** `place`: where it was dropped. */
  insert(type: string, place?: Place): void
  remove(ids: readonly string[], ways: readonly Way[]): void
}

export interface GraphProps {
  steps: readonly Step[]
  selected?: ReadonlySet<string>
  flaws?: ReadonlyMap<string, string>
  statistics?: Statistics['nodes'] | undefined
  changes?: ReadonlyMap<string, Change>
  /** A line of a node in the place of that of its settings, such as what an experiment found. */
  notes?: ReadonlyMap<string, string>
  /** Nodes on the way of a run, in order. */
  path?: readonly string[]
  onSelect?(ids: string[]): void
  /** Absent: nothing can be changed. */
  edit?: GraphEdit
  /** Another number: laid out anew. */
  round?: number
  /** Where nodes were dropped. */
  dropped?: Places
  /** Brought into the middle, each time it is another object. */
  shown?: { id: string } | undefined
}

const MAP_ABOVE = 30
const LEAST_ZOOM = 0.75
const PADDING = 24
const NODE_TYPES = { step: StepNode }
const DELETE_KEYS = ['Delete', 'Backspace']
const EASY_DRAG = 4

/** Shows a graph so that it can be read: whole where it fits, else from its first nodes on. */
function useView(places: Places, round: number, { steps, shown }: GraphProps) {
  const flow = useReactFlow()
  const box = useRef<HTMLElement>(null)
  const latest = useRef(places)
  latest.current = places
  const open = (): void => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = box.current ?? {}
    const bounds = boundsOf(steps, latest.current)
    const fit = Math.min((width - 2 * PADDING) / bounds.width, (height - 2 * PADDING) / bounds.height, 1)
    const zoom = Math.max(fit, LEAST_ZOOM)
    const first = startOf(steps, latest.current)
    const middle = fit >= LEAST_ZOOM ? bounds.x + bounds.width / 2 : first.x + WIDTH / 2
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
      void flow.setCenter(place.x + WIDTH / 2, place.y + HEIGHT / 2, { zoom: Math.max(flow.getZoom(), LEAST_ZOOM) })
  }, [shown, flow])
  return { box, open, placeAt: flow.screenToFlowPosition }
}

type FlowProps = GraphProps & { places: Places; laid: Layout }

function Flow({ places, laid, ...props }: FlowProps) {
  const t = useText(workflowTexts)
  const { steps, edit, onSelect } = props
  const drawing = useDrawing(props, places, laid.move)
  const { box, open, placeAt } = useView(places, laid.round, props)
  const drop = (event: DragEvent): void => {
    const type = event.dataTransfer.getData(DRAGGED_TYPE)
    if (!edit || type === '') return
    event.preventDefault()
    const { x, y } = placeAt({ x: event.clientX, y: event.clientY })
    edit.insert(type, { x: x - WIDTH / 2, y: y - HEIGHT / 2 })
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
  const t = useText(workflowTexts)
  return (
    <p className={styles['busyWord']} role="status">
      {isBusy && t('layingOut', { count })}
    </p>
  )
}

/** The graph as it is drawn, once its nodes stand somewhere. */
export default function Canvas(props: GraphProps) {
  const t = useText(workflowTexts)
  const { steps, round = 0, dropped } = props
  const laid = useLayout(steps, round, dropped)
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
