import { useRef, useState } from 'react'
import type { Form } from '../../../components/form/use-form.ts'
import { changed, emptyHistory, type History, redone, undone } from '../../workflows/model/history.ts'
import type { Compilable } from '../compilable-kind.ts'

export interface Undo {
  /** The form; what is set by it can be undone. */
  form: Form<Compilable>
  undo(): void
  redo(): void
  canUndo: boolean
  canRedo: boolean
}

type Value = Compilable['value']

/** Changes of what a compilable does are undone one by one; what is typed into one field is one change. */
export function useUndo(form: Form<Compilable>): Undo {
  const [history, setHistory] = useState<History<Value>>(emptyHistory)
  const typedAt = useRef<string | null>(null)
  const { value } = form.value
  const move = (step: { history: History<Value>; value: Value } | null): void => {
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
        const isSame = isText && typedAt.current === at
        typedAt.current = isText ? at : null
        if (!isSame) setHistory((before) => changed(before, value))
        form.set(at, next)
      },
    },
    undo: () => move(undone(history, value)),
    redo: () => move(redone(history, value)),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
  }
}
