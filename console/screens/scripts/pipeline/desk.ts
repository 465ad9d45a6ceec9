import { createContext, useContext } from 'react'
import type { CodeFault } from '../../../components/code/CodeEditor.tsx'
import type { FormState } from '../../../components/form/use-form.ts'
import type { CompilableForm } from '../compilable-kind.ts'
import { type ApiScriptFlaw, toScriptTextFaults } from '../flaws.ts'
import type { RowNameContext } from './row-names.ts'

/** What every field of a pipeline needs. */
export interface PipelineEditorContext {
  /** What is set by it can be undone. */
  form: FormState<CompilableForm>
  flaws: readonly ApiScriptFlaw[]
  isReadOnly: boolean
  /** Paths of the arguments: `arguments.top`. */
  argumentPaths: readonly string[]
  known: RowNameContext
}

const DeskContext = createContext<PipelineEditorContext | null>(null)

export const PipelineEditorProvider = DeskContext.Provider

export function usePipelineEditor(): PipelineEditorContext {
  const desk = useContext(DeskContext)
  if (!desk) throw new Error('no pipeline here')
  return desk
}

/** What is wrong with the member at a pointer, in words: what a save was refused for, or a flaw that has no place within a text. */
export function usePipelineFault(...pointers: readonly string[]): string | undefined {
  const { form, flaws } = usePipelineEditor()
  const refused = pointers.map((at) => form.faultAt(at)).find((words) => words !== undefined)
  const found = flaws.filter(
    ({ path, position, severity }) => severity === 'error' && !position && pointers.includes(path),
  )
  return refused ?? (found.length > 0 ? found.map(({ message }) => message).join(' ') : undefined)
}

/** What is wrong within a text, at its places. */
export function usePipelineTextFaults(at: string): CodeFault[] {
  return toScriptTextFaults(usePipelineEditor().flaws, at)
}
