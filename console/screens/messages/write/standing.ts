import type { Standing } from './channel.ts'

/** States that the service leaves by itself: they are read again until it has. */
const BUSY = new Set([30, 35, 36, 40, 55])
/** States in which a message cannot be changed. */
const LOCKED = new Set([30, 35, 36, 40, 55, 60])

const DRAFT = new Set([10, 20])

export const isBusy = ({ state }: Standing): boolean => state !== null && BUSY.has(state)
export const isLocked = ({ state }: Standing): boolean => state !== null && LOCKED.has(state)
export const isTesting = ({ state }: Standing): boolean => state !== null && state >= 30 && state < 38
export const isIncomplete = ({ state }: Standing): boolean => state === 10
export const isDraft = ({ state }: Standing): boolean => state !== null && DRAFT.has(state)
export const isTested = ({ state }: Standing): boolean => state === 38
/** It goes out, or will at its date. */
export const isValidated = ({ state, active }: Standing): boolean => state === 50 || active === true
export const isSending = ({ state }: Standing): boolean => state === 55
export const isOver = ({ state }: Standing): boolean => state === 60
