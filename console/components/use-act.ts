import { type FormEvent, useState } from 'react'

/** Something that a person asks for: whether it is under way, and what went wrong. */
export interface AsyncAction {
  isBusy: boolean
  error: unknown
  run(): Promise<void>
  submit(event: FormEvent): void
  /** What went wrong is no longer of interest. */
  forget(): void
}

export function useAsyncAction(work: () => Promise<void>): AsyncAction {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async (): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      await work()
    } catch (thrown) {
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return {
    isBusy,
    error,
    run,
    forget: () => setError(null),
    submit: (event) => {
      event.preventDefault()
      void run()
    },
  }
}
