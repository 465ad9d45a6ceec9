import { useRef, useState } from 'react'
import type { FormState } from '../../components/form/use-form.ts'
import type { WorkflowForm } from './calls.ts'
import type { WorkflowGraphEdit } from './canvas/graph-props.ts'
import { useNodeClipboard } from './canvas/use-clipping.ts'
import { addNode, connectNodes, createNodeId, pasteNodes, removeNodes, type WorkflowFormNode } from './model/graph.ts'
import { WORKFLOW_NODE_KINDS } from './model/kinds.ts'
import type { NodePositions } from './model/layout.ts'

/** Commands on the nodes of a workflow. */
export interface WorkflowNodeCommands extends WorkflowGraphEdit {
  copy(): void
  paste(): Promise<void>
  /** Removes what is selected. */
  removeSelected(): void
  /** Positions of dropped nodes. */
  dropped: NodePositions
}

interface CommandsContext {
  form: FormState<WorkflowForm>
  selected: readonly string[]
  select(ids: string[]): void
  isOpen: boolean
}

const NO_POSITIONS: NodePositions = {}

/** Commands on nodes, applied to the current selection. */
export function useWorkflowNodeCommands({ form, selected, select, isOpen }: CommandsContext): WorkflowNodeCommands {
  const [dropped, setDropped] = useState(NO_POSITIONS)
  const latestForm = useRef(form.value)
  latestForm.current = form.value
  const writeNodes = (steps: WorkflowFormNode[]): void => {
    latestForm.current = { ...latestForm.current, nodes: steps }
    form.change(latestForm.current)
  }
  const remove: WorkflowNodeCommands['remove'] = (ids, ways) => {
    if (ids.length + ways.length === 0) return
    const disconnectedNodes = ways.reduce(
      (steps, { from, at }) => connectNodes(steps, from, at, null),
      latestForm.current.nodes,
    )
    writeNodes(removeNodes(disconnectedNodes, new Set(ids)))
    select(selected.filter((id) => !ids.includes(id)))
  }
  const removeSelected = (): void => remove(selected, [])
  const clipboardCommands = useNodeClipboard(
    {
      chosen: () => latestForm.current.nodes.filter(({ id }) => selected.includes(id)),
      paste: (steps) => {
        const { steps: next, ids } = pasteNodes(latestForm.current.nodes, steps)
        writeNodes(next)
        select(ids)
      },
      cut: removeSelected,
    },
    isOpen,
  )
  return {
    ...clipboardCommands,
    dropped,
    remove,
    removeSelected,
    insert: (type, place) => {
      const { nodes } = latestForm.current
      const id = createNodeId(nodes, type)
      const initialSettings = structuredClone(WORKFLOW_NODE_KINDS[type]?.blank ?? {})
      const insertedNode: WorkflowFormNode = {
        type,
        id,
        settings: initialSettings,
        next: null,
        ...(nodes.length === 0 && { default: true }),
      }
      if (place) setDropped((before) => ({ ...before, [id]: place }))
      writeNodes(addNode(nodes, insertedNode, place ? undefined : selected.at(-1)))
      select([id])
    },
    connect: ({ from, at }, to) => writeNodes(connectNodes(latestForm.current.nodes, from, at, to)),
  }
}
