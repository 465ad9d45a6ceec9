/** What a promise gives, or `late` when it takes longer than `ms`; its later failure is nobody's concern then. */
export async function within<T, Late>(promise: Promise<T>, ms: number, late: Late): Promise<T | Late> {
  const { promise: lateness, resolve } = Promise.withResolvers<Late>()
  const timer = setTimeout(() => resolve(late), ms)
  promise.catch(() => undefined)
  try {
    return await Promise.race([promise, lateness])
  } finally {
    clearTimeout(timer)
  }
}
