import { useEffect, useMemo, useRef, useState } from 'react'
import type { WorkflowFormNode } from '../model/graph.ts'
import {
  buildGraphShape,
  completePositions,
  isGraphUnplaced,
  mergeMovedPositions,
  type NodePositions,
} from '../model/layout.ts'

/** Where nodes stand; `round`: which request to lay them out it answers; `answer`: how many there were before. */
interface Laid {
  round: number
  answer: number
  places: NodePositions
}

export interface GraphLayout {
  /** null: nothing stands anywhere yet. */
  places: NodePositions | null
  /** Of what is drawn. */
  round: number
  isBusy: boolean
  move(moves: NodePositions): void
}

/** Lays out a graph in a worker; where no worker begins, in the page. Ends it when the answer is of no use any more. */
function layOut(steps: readonly WorkflowFormNode[], done: (places: NodePositions) => void): () => void {
  const shape = buildGraphShape(steps)
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
  let isEnded = false
  const end = (): void => {
    isEnded = true
    worker.terminate()
  }
  worker.onmessage = ({ data }: MessageEvent<NodePositions>) => {
    end()
    done(data)
  }
  worker.onerror = () => {
    worker.terminate()
    void import('../model/laid-out.ts').then(({ computeGraphLayout: laidOut }) => !isEnded && done(laidOut(shape)))
  }
  worker.postMessage(shape)
  return end
}

/** Where the nodes of a graph stand. They can be edited and moved while they are laid out: what is moved meanwhile stays. */
export function useGraphLayout(
  steps: readonly WorkflowFormNode[],
  round: number,
  dropped?: NodePositions,
): GraphLayout {
  const [laid, setLaid] = useState<Laid | null>(null)
  const isNew = laid === null || isGraphUnplaced(laid.places, steps, dropped)
  const isBusy = isNew || laid.round !== round
  const known = isNew ? null : laid.places
  const places = useMemo(() => known && completePositions(known, steps, dropped), [known, steps, dropped])
  const latest = useRef({ steps, places })
  latest.current = { steps, places }
  const answer = (laid?.answer ?? 0) + 1
  useEffect(() => {
    if (!isBusy) return
    const before = latest.current.places ?? {}
    return layOut(latest.current.steps, (fresh) =>
      setLaid({ round, answer, places: mergeMovedPositions(fresh, before, latest.current.places ?? {}) }),
    )
  }, [isBusy, round, answer])
  return {
    ...{ places, isBusy, round: laid?.round ?? round },
    move: (moves) => setLaid((now) => now && { ...now, places: { ...now.places, ...latest.current.places, ...moves } }),
  }
}
