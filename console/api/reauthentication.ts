import { createSharedStore } from './store.ts'

/**
 * What a request may have to wait for: a new sign-in when the session is over, or a password when an act asks for it again. Requests wait at
 * the gate and go on by themselves, so that nothing of a half-filled form is lost.
 */
export type ReauthenticationKind = 'session' | 'confirmation'

export interface ReauthenticationPrompt {
  gate: ReauthenticationKind
  /** `true`: go on with what waits; `false`: give it up. */
  answer(goOn: boolean): void
}

/** What a person is asked for now; the frame shows it. */
export const reauthenticationPrompt = createSharedStore<ReauthenticationPrompt | null>(null)

let waiting: Promise<boolean> | undefined

/** Asks a person once for all requests that wait; resolves with whether to go on. */
export function requestReauthentication(gate: ReauthenticationKind): Promise<boolean> {
  waiting ??= new Promise<boolean>((resolve) => {
    reauthenticationPrompt.set({ gate, answer: resolve })
  }).finally(() => {
    waiting = undefined
    reauthenticationPrompt.set(null)
  })
  return waiting
}
