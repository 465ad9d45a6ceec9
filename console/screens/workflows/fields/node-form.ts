import { createContext, useContext, useMemo } from 'react'
import type { Fault } from '../../../components/code/CodeEditor.tsx'
import type { Edited } from '../../../components/form/use-form.ts'
import type { Flaw } from '../calls.ts'
import type { Step } from '../model/graph.ts'

/** What is edited: nodes can be chosen in it. */
export type EditedSteps = Edited<{ nodes: readonly Step[] }>

/** What every field of a definition is given. */
export interface FieldProps {
  form: EditedSteps
  at: string
  label: string
  isReadOnly: boolean
}

/** Flaws of what is stored, at pointers of what is edited. */
export const FlawsContext = createContext<readonly Flaw[]>([])

const isAt = (path: string, at: string): boolean => path === at || path === `${at}/value`

/** What the service says of a member: of the last save, else of what is stored. */
export function useFault({ form, at }: Pick<FieldProps, 'form' | 'at'>): string | undefined {
  const flaws = useContext(FlawsContext)
  return form.faultAt(at) ?? flaws.find(({ path }) => isAt(path, at))?.message
}

/** Flaws within a text, at their places. */
export function usePlaces(at: string): readonly Fault[] {
  const flaws = useContext(FlawsContext)
  return useMemo(
    () =>
      flaws.flatMap(({ path, message, severity, position }) =>
        isAt(path, at) && position ? [{ message, severity, ...position }] : [],
      ),
    [flaws, at],
  )
}
