import { createContext, useContext } from 'react'
import type { Fault } from '../../../components/code/CodeEditor.tsx'
import type { Form } from '../../../components/form/use-form.ts'
import type { Compilable } from '../compilable-kind.ts'
import { type Flaw, faultsOf } from '../flaws.ts'
import type { Known } from './row-names.ts'

/** What every field of a pipeline needs. */
export interface Desk {
  /** What is set by it can be undone. */
  form: Form<Compilable>
  flaws: readonly Flaw[]
  isReadOnly: boolean
  /** Paths of the arguments: `arguments.top`. */
  argumentPaths: readonly string[]
  known: Known
}

const DeskContext = createContext<Desk | null>(null)

export const DeskProvider = DeskContext.Provider

export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (!desk) throw new Error('no pipeline here')
  return desk
}

/** What is wrong with the member at a pointer, in words: what a save was refused for, or a flaw that has no place within a text. */
export function useFault(...pointers: readonly string[]): string | undefined {
  const { form, flaws } = useDesk()
  const refused = pointers.map((at) => form.faultAt(at)).find((words) => words !== undefined)
  const found = flaws.filter(
    ({ path, position, severity }) => severity === 'error' && !position && pointers.includes(path),
  )
  return refused ?? (found.length > 0 ? found.map(({ message }) => message).join(' ') : undefined)
}

/** What is wrong within a text, at its places. */
export function useTextFaults(at: string): Fault[] {
  return faultsOf(useDesk().flaws, at)
}
