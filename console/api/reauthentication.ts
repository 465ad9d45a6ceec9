import { createStore } from './store.ts'

/**
 * What a request may have to wait for: a new sign-in when the session is over, or a password when an act asks for it again. Requests wait at
 * the gate and go on by themselves, so that nothing of a half-filled form is lost.
 */
export type Gate = 'session' | 'confirmation'

export interface Asked {
  gate: Gate
  /** `true`: go on with what waits; `false`: give it up. */
  answer(goOn: boolean): void
}

/** What a person is asked for now; the frame shows it. */
export const asked = createStore<Asked | null>(null)

let waiting: Promise<boolean> | undefined

/** Asks a person once for all requests that wait; resolves with whether to go on. */
export function pass(gate: Gate): Promise<boolean> {
  waiting ??= new Promise<boolean>((resolve) => {
    asked.set({ gate, answer: resolve })
  }).finally(() => {
    waiting = undefined
    asked.set(null)
  })
  return waiting
}
