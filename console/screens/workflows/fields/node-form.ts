import { createContext, useContext, useMemo } from 'react'
import type { CodeFault } from '../../../components/code/editor-props.ts'
import type { FormBinding } from '../../../components/form/use-form.ts'
import type { ApiWorkflowFlaw } from '../calls.ts'
import type { WorkflowFormNode } from '../model/graph.ts'

/** The edited value: it contains the nodes that can be chosen. */
export type WorkflowFormBinding = FormBinding<{ nodes: readonly WorkflowFormNode[] }>

/** Props of every field of a definition. */
export interface NodeFieldProps {
  form: WorkflowFormBinding
  at: string
  label: string
  isReadOnly: boolean
}

/** Flaws of what is stored, at pointers of what is edited. */
export const WorkflowFlawsContext = createContext<readonly ApiWorkflowFlaw[]>([])

const isPathOfMember = (path: string, at: string): boolean => path === at || path === `${at}/value`

/** Fault of a member as reported by the service: for the last save, or for the stored version. */
export function useNodeFieldFault({ form, at }: Pick<NodeFieldProps, 'form' | 'at'>): string | undefined {
  const flaws = useContext(WorkflowFlawsContext)
  return form.faultAt(at) ?? flaws.find(({ path }) => isPathOfMember(path, at))?.message
}

/** Flaws within a text, at their places. */
export function useNodeTextFaults(at: string): readonly CodeFault[] {
  const flaws = useContext(WorkflowFlawsContext)
  return useMemo(
    () =>
      flaws.flatMap(({ path, message, severity, position }) =>
        isPathOfMember(path, at) && position ? [{ message, severity, ...position }] : [],
      ),
    [flaws, at],
  )
}
