import { useEffect, useMemo, useRef, useState } from 'react'
import type { Step } from '../model/graph.ts'
import { completed, isUnplaced, type Places, settledPlaces, shapeOf } from '../model/layout.ts'

/** Where nodes stand; `round`: which request to lay them out it answers; `answer`: how many there were before. */
interface Laid {
  round: number
  answer: number
  places: Places
}

export interface Layout {
  /** null: nothing stands anywhere yet. */
  places: Places | null
  /** Of what is drawn. */
  round: number
  isBusy: boolean
  move(moves: Places): void
}

/** Lays out a graph in a worker; where no worker begins, in the page. Ends it when the answer is of no use any more. */
function layOut(steps: readonly Step[], done: (places: Places) => void): () => void {
  const shape = shapeOf(steps)
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
  let isEnded = false
  const end = (): void => {
    isEnded = true
    worker.terminate()
  }
  worker.onmessage = ({ data }: MessageEvent<Places>) => {
    end()
    done(data)
  }
  worker.onerror = () => {
    worker.terminate()
    void import('../model/laid-out.ts').then(({ laidOut }) => !isEnded && done(laidOut(shape)))
  }
  worker.postMessage(shape)
  return end
}

/** Where the nodes of a graph stand. They can be edited and moved while they are laid out: what is moved meanwhile stays. */
export function useLayout(steps: readonly Step[], round: number, dropped?: Places): Layout {
  const [laid, setLaid] = useState<Laid | null>(null)
  const isNew = laid === null || isUnplaced(laid.places, steps, dropped)
  const isBusy = isNew || laid.round !== round
  const known = isNew ? null : laid.places
  const places = useMemo(() => known && completed(known, steps, dropped), [known, steps, dropped])
  const latest = useRef({ steps, places })
  latest.current = { steps, places }
  const answer = (laid?.answer ?? 0) + 1
  useEffect(() => {
    if (!isBusy) return
    const before = latest.current.places ?? {}
    return layOut(latest.current.steps, (fresh) =>
      setLaid({ round, answer, places: settledPlaces(fresh, before, latest.current.places ?? {}) }),
    )
  }, [isBusy, round, answer])
  return {
    ...{ places, isBusy, round: laid?.round ?? round },
    move: (moves) => setLaid((now) => now && { ...now, places: { ...now.places, ...latest.current.places, ...moves } }),
  }
}
