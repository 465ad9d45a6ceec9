/** Loads with the first call and shares the result. A failed attempt is repeated with the next call. */
export interface SharedLoad<Loaded> {
  (): Promise<Loaded>
  /** The load that began, unless it failed; undefined before the first call. */
  begun(): Promise<Loaded> | undefined
}

/** Returns a function that loads once. */
export function loadOnce<Loaded>(load: () => Promise<Loaded>): SharedLoad<Loaded> {
  let begunLoad: Promise<Loaded> | undefined
  const share = (): Promise<Loaded> => {
    begunLoad ??= load().catch((error) => {
      begunLoad = undefined
      throw error
    })
    return begunLoad
  }
  return Object.assign(share, { begun: () => begunLoad })
}
