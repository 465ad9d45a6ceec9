import { useRef, useState } from 'react'
import { setPointerValue } from '../../components/form/pointers.ts'
import type { FormState } from '../../components/form/use-form.ts'
import type { WorkflowForm } from './calls.ts'
import { createEditHistory, type EditHistory, recordEdit, redoEdit, undoEdit } from './model/history.ts'

export interface WorkflowEditing {
  /** The form; what is changed by it can be undone. */
  form: FormState<WorkflowForm>
  undo(): void
  redo(): void
  canUndo: boolean
  canRedo: boolean
}

/** There an empty text is an absent member. */
const OMITTED_WHEN_EMPTY = /^\/(nodes|listeners|tasks|capping|settings)\//

/** A form whose changes are undone one by one; what is typed into one field is one change. */
export function useWorkflowEditing(form: FormState<WorkflowForm>): WorkflowEditing {
  const [editHistory, setHistory] = useState<EditHistory<WorkflowForm>>(createEditHistory)
  const typedAt = useRef<string | null>(null)
  const applyChange = (next: WorkflowForm, at: string | null): void => {
    if (at === null || typedAt.current !== at) setHistory((before) => recordEdit(before, form.value))
    typedAt.current = at
    form.change(next)
  }
  const applyHistory = (step: ReturnType<typeof undoEdit<WorkflowForm>>): void => {
    if (!step) return
    typedAt.current = null
    setHistory(step.history)
    form.change(step.value)
  }
  return {
    form: {
      ...form,
      set: (at, value) =>
        applyChange(
          setPointerValue(form.value, at, value === '' && OMITTED_WHEN_EMPTY.test(at) ? undefined : value),
          at,
        ),
      change: (next) => applyChange(next, null),
      discard: () => {
        setHistory(createEditHistory())
        form.discard()
      },
    },
    undo: () => applyHistory(undoEdit(editHistory, form.value)),
    redo: () => applyHistory(redoEdit(editHistory, form.value)),
    canUndo: editHistory.past.length > 0,
    canRedo: editHistory.future.length > 0,
  }
}
