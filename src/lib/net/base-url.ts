/** Removes the slashes at the end of a base address, so that a path can follow; takes time in proportion to its length. */
export const trimTrailingSlashes = (url: string): string => url.replace(/(?<!\/)\/+$/, '')
