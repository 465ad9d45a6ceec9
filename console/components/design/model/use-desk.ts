import { useEffect, useReducer, useRef } from 'react'
import { isSameDocument } from '../../form/pointers.ts'
import { createDesignState, reduceDesignState } from './desk.ts'
import type { ApiDesign } from './shapes.ts'

interface Props {
  design: ApiDesign
  onChange(design: ApiDesign): void
}

/** The design as it is edited: told to the caller after each step, and begun anew when the caller has another. */
export function useDesignEditor({ design, onChange }: Props) {
  const [desk, act] = useReducer(reduceDesignState, design, createDesignState)
  const said = useRef<readonly ApiDesign[]>([design])
  const tell = useRef(onChange)
  tell.current = onChange
  const { present } = desk.history
  const latest = useRef(present)
  latest.current = present
  useEffect(() => {
    if (said.current.at(-1) === present) return
    said.current = [...said.current, present]
    tell.current(present)
  }, [present])
  useEffect(() => {
    // What was told comes back late where people write quickly, when more is written already.
    const at = said.current.indexOf(design)
    if (at >= 0) said.current = said.current.slice(at)
    else if (isSameDocument(design, latest.current)) said.current = [design, latest.current]
    else {
      said.current = [design]
      act({ do: 'reset', design })
    }
  }, [design])
  return { desk, act }
}
