/** Runs a function now and every `ms` milliseconds, never twice at once, until it is stopped. The function reports its own failures. */
export function runEvery(ms: number, work: () => Promise<void>): () => Promise<void> {
  let runningWork: Promise<void> | undefined
  const startWork = (): void => {
    runningWork ??= work().finally(() => {
      runningWork = undefined
    })
  }
  startWork()
  const timer = setInterval(startWork, ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await runningWork
  }
}
