/**
 * Does something now and every so many milliseconds, never twice at once, until it is told to stop. The work tells of its
 * failures itself.
 */
export function inTurns(work: () => Promise<void>, ms: number): () => Promise<void> {
  let turning: Promise<void> | undefined
  const start = (): void => {
    turning ??= work().finally(() => {
      turning = undefined
    })
  }
  start()
  const timer = setInterval(start, ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await turning
  }
}
