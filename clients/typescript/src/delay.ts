/** Waits so many milliseconds, or until the signal aborts: then it throws the reason of that. */
export function delay(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** The pause before try `n`, from 1: it doubles, and is anywhere in its upper half, so that clients do not come back at once. */
export function backoff(n: number, { firstMs, longestMs }: { firstMs: number; longestMs: number }): number {
  const ms = Math.min(firstMs * 2 ** (n - 1), longestMs)
  return ms / 2 + Math.random() * (ms / 2)
}
