import { useRef, useState } from 'react'
import type { FormState } from '../../components/form/use-form.ts'
import type { WorkflowForm } from './calls.ts'
import { useNodeClipboard } from './canvas/use-clipping.ts'
import type { WorkflowGraphEdit } from './canvas/WorkflowCanvas.tsx'
import { addNode, connectNodes, createNodeId, pasteNodes, removeNodes, type WorkflowFormNode } from './model/graph.ts'
import { WORKFLOW_NODE_KINDS } from './model/kinds.ts'
import type { NodePositions } from './model/layout.ts'

/** What can be done to the nodes of a workflow. */
export interface WorkflowNodeCommands extends WorkflowGraphEdit {
  copy(): void
  paste(): Promise<void>
  /** Removes what is selected. */
  removeSelected(): void
  /** Where nodes were dropped. */
  dropped: NodePositions
}

interface Around {
  form: FormState<WorkflowForm>
  selected: readonly string[]
  select(ids: string[]): void
  isOpen: boolean
}

const NOWHERE: NodePositions = {}

/** What is done to the nodes, around what is selected. */
export function useWorkflowNodeCommands({ form, selected, select, isOpen }: Around): WorkflowNodeCommands {
  const [dropped, setDropped] = useState(NOWHERE)
  const latest = useRef(form.value)
  latest.current = form.value
  const write = (steps: WorkflowFormNode[]): void => {
    latest.current = { ...latest.current, nodes: steps }
    form.change(latest.current)
  }
  const remove: WorkflowNodeCommands['remove'] = (ids, ways) => {
    if (ids.length + ways.length === 0) return
    const cut = ways.reduce((steps, { from, at }) => connectNodes(steps, from, at, null), latest.current.nodes)
    write(removeNodes(cut, new Set(ids)))
    select(selected.filter((id) => !ids.includes(id)))
  }
  const removeSelected = (): void => remove(selected, [])
  const clipping = useNodeClipboard(
    {
      chosen: () => latest.current.nodes.filter(({ id }) => selected.includes(id)),
      paste: (steps) => {
        const { steps: next, ids } = pasteNodes(latest.current.nodes, steps)
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
      const id = createNodeId(nodes, type)
      const settings = structuredClone(WORKFLOW_NODE_KINDS[type]?.blank ?? {})
      const step: WorkflowFormNode = { type, id, settings, next: null, ...(nodes.length === 0 && { default: true }) }
      if (place) setDropped((before) => ({ ...before, [id]: place }))
      write(addNode(nodes, step, place ? undefined : selected.at(-1)))
      select([id])
    },
    connect: ({ from, at }, to) => write(connectNodes(latest.current.nodes, from, at, to)),
  }
}
