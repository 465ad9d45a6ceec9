/** Returns a function that loads once and shares the result. A failed attempt is repeated with the next call. */
export function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let pendingLoad: Promise<Loaded> | undefined
  return () => {
    pendingLoad ??= load().catch((error) => {
      pendingLoad = undefined
      throw error
    })
    return pendingLoad
  }
}
