/**
 * Runs a function now and every so many milliseconds, never twice at once, until it is stopped. The function reports its
 * own failures.
 */
export function runEvery(ms: number, work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  const start = (): void => {
    running ??= work().finally(() => {
      running = undefined
    })
  }
  start()
  const timer = setInterval(start, ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
