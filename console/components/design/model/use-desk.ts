import { useEffect, useReducer, useRef } from 'react'
import { isSameDocument } from '../../form/pointers.ts'
import { createDesignState, reduceDesignState } from './desk.ts'
import type { ApiDesign } from './shapes.ts'

interface Props {
  design: ApiDesign
  onChange(design: ApiDesign): void
}

/** State of the design editor: reports each step to the caller, and restarts when the caller passes another design. */
export function useDesignEditor({ design, onChange }: Props) {
  const [desk, act] = useReducer(reduceDesignState, design, createDesignState)
  const reportedDesigns = useRef<readonly ApiDesign[]>([design])
  const onChangeRef = useRef(onChange)
  onChangeRef.current = onChange
  const { present } = desk.history
  const latestDesign = useRef(present)
  latestDesign.current = present
  useEffect(() => {
    if (reportedDesigns.current.at(-1) === present) return
    reportedDesigns.current = [...reportedDesigns.current, present]
    onChangeRef.current(present)
  }, [present])
  useEffect(() => {
    // Reported designs return late when somebody types quickly: newer changes may already exist.
    const reportedIndex = reportedDesigns.current.indexOf(design)
    if (reportedIndex >= 0) reportedDesigns.current = reportedDesigns.current.slice(reportedIndex)
    else if (isSameDocument(design, latestDesign.current)) reportedDesigns.current = [design, latestDesign.current]
    else {
      reportedDesigns.current = [design]
      act({ do: 'reset', design })
    }
  }, [design])
  return { desk, act }
}
