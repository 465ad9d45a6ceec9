import { useRef, useState } from 'react'
import type { FormState } from '../../../components/form/use-form.ts'
import { createEditHistory, type EditHistory, recordEdit, redoEdit, undoEdit } from '../../workflows/model/history.ts'
import type { CompilableForm } from '../compilable-kind.ts'

export interface PipelineUndo {
  /** The form; what is set by it can be undone. */
  form: FormState<CompilableForm>
  undo(): void
  redo(): void
  canUndo: boolean
  canRedo: boolean
}

type CompilableValue = CompilableForm['value']

/** Changes of what a compilable does are undone one by one; what is typed into one field is one change. */
export function usePipelineUndo(form: FormState<CompilableForm>): PipelineUndo {
  const [editHistory, setHistory] = useState<EditHistory<CompilableValue>>(createEditHistory)
  const typedAt = useRef<string | null>(null)
  const { value } = form.value
  const applyHistory = (step: { history: EditHistory<CompilableValue>; value: CompilableValue } | null): void => {
    if (!step) return
    typedAt.current = null
    setHistory(step.history)
    form.set('/value', step.value)
  }
  return {
    form: {
      ...form,
      set: (at, next) => {
        const isText = typeof next !== 'object' || (next !== null && 'value' in next)
        const isSameField = isText && typedAt.current === at
        typedAt.current = isText ? at : null
        if (!isSameField) setHistory((before) => recordEdit(before, value))
        form.set(at, next)
      },
    },
    undo: () => applyHistory(undoEdit(editHistory, value)),
    redo: () => applyHistory(redoEdit(editHistory, value)),
    canUndo: editHistory.past.length > 0,
    canRedo: editHistory.future.length > 0,
  }
}
