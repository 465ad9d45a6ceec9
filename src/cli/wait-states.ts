/** The states of each kind of object that `stentor wait` accepts. The command itself is loaded when it is used. */
export const waitableStates = {
  action: ['complete', 'tested', 'validated', 'sending', 'paused', 'sent'],
  'rcs-action': ['complete', 'validated', 'sending', 'paused', 'sent'],
  message: ['queued', 'accepted', 'refused', 'cancelled', 'held'],
  import: ['running', 'completed', 'failed'],
  workflow: ['active', 'inactive'],
  run: ['running', 'waiting', 'paused', 'completed', 'failed', 'killed', 'expired', 'capped'],
  job: ['queued', 'running', 'done', 'failed'],
  service: ['ready', 'unavailable'],
} as const satisfies Record<string, readonly string[]>

/** A kind of object whose state `stentor wait` reads. */
export type WaitableKind = keyof typeof waitableStates
