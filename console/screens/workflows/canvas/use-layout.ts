import { useEffect, useMemo, useRef, useState } from 'react'
import type { WorkflowFormNode } from '../model/graph.ts'
import {
  buildGraphShape,
  completePositions,
  isGraphUnplaced,
  mergeMovedPositions,
  type NodePositions,
} from '../model/layout.ts'

/** Node positions; `round` is the number of the answered layout request, `answer` the number of earlier answers. */
interface LayoutState {
  round: number
  answer: number
  places: NodePositions
}

export interface GraphLayout {
  /** null: nothing stands anywhere yet. */
  places: NodePositions | null
  /** Round of the rendered layout. */
  round: number
  isBusy: boolean
  move(moves: NodePositions): void
}

/** Lays out a graph in a worker; where no worker begins, in the page. Ends it when the answer is of no use any more. */
function computeInWorker(steps: readonly WorkflowFormNode[], done: (places: NodePositions) => void): () => void {
  const graphShape = buildGraphShape(steps)
  const layoutWorker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
  let isEnded = false
  const stopWorker = (): void => {
    isEnded = true
    layoutWorker.terminate()
  }
  layoutWorker.onmessage = ({ data }: MessageEvent<NodePositions>) => {
    stopWorker()
    done(data)
  }
  layoutWorker.onerror = () => {
    layoutWorker.terminate()
    void import('../model/laid-out.ts').then(({ computeGraphLayout: laidOut }) => !isEnded && done(laidOut(graphShape)))
  }
  layoutWorker.postMessage(graphShape)
  return stopWorker
}

/** Positions of the nodes of a graph. Nodes can be edited and moved during the layout: positions changed meanwhile are retained. */
export function useGraphLayout(
  steps: readonly WorkflowFormNode[],
  round: number,
  dropped?: NodePositions,
): GraphLayout {
  const [layoutState, setLayoutState] = useState<LayoutState | null>(null)
  const isNew = layoutState === null || isGraphUnplaced(layoutState.places, steps, dropped)
  const isBusy = isNew || layoutState.round !== round
  const currentPositions = isNew ? null : layoutState.places
  const places = useMemo(
    () => currentPositions && completePositions(currentPositions, steps, dropped),
    [currentPositions, steps, dropped],
  )
  const latestInput = useRef({ steps, places })
  latestInput.current = { steps, places }
  const answerNumber = (layoutState?.answer ?? 0) + 1
  useEffect(() => {
    if (!isBusy) return
    const previousPositions = latestInput.current.places ?? {}
    return computeInWorker(latestInput.current.steps, (fresh) =>
      setLayoutState({
        round,
        answer: answerNumber,
        places: mergeMovedPositions(fresh, previousPositions, latestInput.current.places ?? {}),
      }),
    )
  }, [isBusy, round, answerNumber])
  return {
    places,
    isBusy,
    round: layoutState?.round ?? round,
    move: (moves) =>
      setLayoutState((now) => now && { ...now, places: { ...now.places, ...latestInput.current.places, ...moves } }),
  }
}
