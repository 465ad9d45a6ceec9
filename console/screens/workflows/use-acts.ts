import { useRef, useState } from 'react'
import type { Form } from '../../components/form/use-form.ts'
import type { Draft } from './calls.ts'
import type { GraphEdit } from './canvas/Canvas.tsx'
import { useClipping } from './canvas/use-clipping.ts'
import { added, connected, freshId, pasted, removed, type Step } from './model/graph.ts'
import { KINDS } from './model/kinds.ts'
import type { Places } from './model/layout.ts'

/** What can be done to the nodes of a workflow. */
export interface Acts extends GraphEdit {
  copy(): void
  paste(): Promise<void>
  /** Removes what is selected. */
  removeSelected(): void
  /** Where nodes were dropped. */
  dropped: Places
}

interface Around {
  form: Form<Draft>
  selected: readonly string[]
  select(ids: string[]): void
  isOpen: boolean
}

const NOWHERE: Places = {}

/** What is done to the nodes, around what is selected. */
export function useActs({ form, selected, select, isOpen }: Around): Acts {
  const [dropped, setDropped] = useState(NOWHERE)
  const latest = useRef(form.value)
  latest.current = form.value
  const write = (steps: Step[]): void => {
    latest.current = { ...latest.current, nodes: steps }
    form.change(latest.current)
  }
  const remove: Acts['remove'] = (ids, ways) => {
    if (ids.length + ways.length === 0) return
    const cut = ways.reduce((steps, { from, at }) => connected(steps, from, at, null), latest.current.nodes)
    write(removed(cut, new Set(ids)))
    select(selected.filter((id) => !ids.includes(id)))
  }
  const removeSelected = (): void => remove(selected, [])
  const clipping = useClipping(
    {
      chosen: () => latest.current.nodes.filter(({ id }) => selected.includes(id)),
      paste: (steps) => {
        const { steps: next, ids } = pasted(latest.current.nodes, steps)
        write(next)
        select(ids)
      },
      cut: removeSelected,
    },
    isOpen,
  )
  return {
    ...{ ...clipping, dropped, remove, removeSelected },
    insert: (type, place) => {
      const { nodes } = latest.current
      const id = freshId(nodes, type)
      const settings = structuredClone(KINDS[type]?.blank ?? {})
      const step: Step = { type, id, settings, next: null, ...(nodes.length === 0 && { default: true }) }
      if (place) setDropped((before) => ({ ...before, [id]: place }))
      write(added(nodes, step, place ? undefined : selected.at(-1)))
      select([id])
    },
    connect: ({ from, at }, to) => write(connected(latest.current.nodes, from, at, to)),
  }
}
