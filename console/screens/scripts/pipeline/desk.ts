import { createContext, useContext } from 'react'
import type { CodeFault } from '../../../components/code/editor-props.ts'
import type { FormState } from '../../../components/form/use-form.ts'
import type { CompilableForm } from '../compilable-kind.ts'
import { type ApiScriptFlaw, toScriptTextFaults } from '../flaws.ts'
import type { RowNameContext } from './row-names.ts'

/** Context that every field of a pipeline uses. */
export interface PipelineEditorContext {
  /** Form whose changes can be undone. */
  form: FormState<CompilableForm>
  flaws: readonly ApiScriptFlaw[]
  isReadOnly: boolean
  /** Paths of the arguments: `arguments.top`. */
  argumentPaths: readonly string[]
  known: RowNameContext
}

const PipelineContext = createContext<PipelineEditorContext | null>(null)

export const PipelineEditorProvider = PipelineContext.Provider

export function usePipelineEditor(): PipelineEditorContext {
  const editorContext = useContext(PipelineContext)
  if (!editorContext) throw new Error('no pipeline here')
  return editorContext
}

/** Returns the fault of the member at a pointer as text: a refusal of the last save, or a flaw without a position within a text. */
export function usePipelineFault(...pointers: readonly string[]): string | undefined {
  const { form, flaws } = usePipelineEditor()
  const refusal = pointers.map((at) => form.faultAt(at)).find((words) => words !== undefined)
  const memberFlaws = flaws.filter(
    ({ path, position, severity }) => severity === 'error' && !position && pointers.includes(path),
  )
  return refusal ?? (memberFlaws.length > 0 ? memberFlaws.map(({ message }) => message).join(' ') : undefined)
}

/** Returns the faults within a text, with their positions. */
export function usePipelineTextFaults(at: string): CodeFault[] {
  return toScriptTextFaults(usePipelineEditor().flaws, at)
}
