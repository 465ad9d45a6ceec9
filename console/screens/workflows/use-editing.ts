import { useRef, useState } from 'react'
import { withValue } from '../../components/form/pointers.ts'
import type { Form } from '../../components/form/use-form.ts'
import type { Draft } from './calls.ts'
import { changed, emptyHistory, type History, redone, undone } from './model/history.ts'

export interface Editing {
  /** The form; what is changed by it can be undone. */
  form: Form<Draft>
  undo(): void
  redo(): void
  canUndo: boolean
  canRedo: boolean
}

/** There an empty text is an absent member. */
const IN_PARTS = /^\/(nodes|listeners|tasks|capping|settings)\//

/** A form whose changes are undone one by one; what is typed into one field is one change. */
export function useEditing(form: Form<Draft>): Editing {
  const [history, setHistory] = useState<History<Draft>>(emptyHistory)
  const typedAt = useRef<string | null>(null)
  const apply = (next: Draft, at: string | null): void => {
    if (at === null || typedAt.current !== at) setHistory((before) => changed(before, form.value))
    typedAt.current = at
    form.change(next)
  }
  const move = (step: ReturnType<typeof undone<Draft>>): void => {
    if (!step) return
    typedAt.current = null
    setHistory(step.history)
    form.change(step.value)
  }
  return {
    form: {
      ...form,
      set: (at, value) => apply(withValue(form.value, at, value === '' && IN_PARTS.test(at) ? undefined : value), at),
      change: (next) => apply(next, null),
      discard: () => {
        setHistory(emptyHistory())
        form.discard()
      },
    },
    undo: () => move(undone(history, form.value)),
    redo: () => move(redone(history, form.value)),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
  }
}
