import { type FormEvent, useState } from 'react'

/** Something that a person asks for: whether it is under way, and what went wrong. */
export interface AsyncAction {
  isBusy: boolean
  error: unknown
  run(): Promise<void>
  submit(event: FormEvent): void
  /** Clears the last error. */
  forget(): void
}

export function useAsyncAction(work: () => Promise<void>): AsyncAction {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const runWork = async (): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      await work()
    } catch (caughtError) {
      setError(caughtError)
    } finally {
      setBusy(false)
    }
  }
  return {
    isBusy,
    error,
    run: runWork,
    forget: () => setError(null),
    submit: (event) => {
      event.preventDefault()
      void runWork()
    },
  }
}
