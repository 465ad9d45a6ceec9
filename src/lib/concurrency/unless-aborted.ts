/** Waits for a promise unless the signal aborts first: then it rejects at once with the reason of the signal. */
export async function waitUnlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  work.catch(() => undefined)
  signal.throwIfAborted()
  const abortion = Promise.withResolvers<never>()
  const rejectAborted = () => abortion.reject(signal.reason)
  signal.addEventListener('abort', rejectAborted)
  try {
    return await Promise.race([work, abortion.promise])
  } finally {
    signal.removeEventListener('abort', rejectAborted)
  }
}
