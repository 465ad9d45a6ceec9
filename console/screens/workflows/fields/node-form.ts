import { createContext, useContext, useMemo } from 'react'
import type { CodeFault } from '../../../components/code/CodeEditor.tsx'
import type { FormBinding } from '../../../components/form/use-form.ts'
import type { ApiWorkflowFlaw } from '../calls.ts'
import type { WorkflowFormNode } from '../model/graph.ts'

/** What is edited: nodes can be chosen in it. */
export type WorkflowFormBinding = FormBinding<{ nodes: readonly WorkflowFormNode[] }>

/** What every field of a definition is given. */
export interface NodeFieldProps {
  form: WorkflowFormBinding
  at: string
  label: string
  isReadOnly: boolean
}

/** Flaws of what is stored, at pointers of what is edited. */
export const WorkflowFlawsContext = createContext<readonly ApiWorkflowFlaw[]>([])

const isAt = (path: string, at: string): boolean => path === at || path === `${at}/value`

/** What the service says of a member: of the last save, else of what is stored. */
export function useNodeFieldFault({ form, at }: Pick<NodeFieldProps, 'form' | 'at'>): string | undefined {
  const flaws = useContext(WorkflowFlawsContext)
  return form.faultAt(at) ?? flaws.find(({ path }) => isAt(path, at))?.message
}

/** Flaws within a text, at their places. */
export function useNodeTextFaults(at: string): readonly CodeFault[] {
  const flaws = useContext(WorkflowFlawsContext)
  return useMemo(
    () =>
      flaws.flatMap(({ path, message, severity, position }) =>
        isAt(path, at) && position ? [{ message, severity, ...position }] : [],
      ),
    [flaws, at],
  )
}
