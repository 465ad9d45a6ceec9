import { createSharedStore } from './store.ts'

/**
 * Reason why a request has to wait: a new sign-in after the session has ended, or a password for an action that requires confirmation.
 * Waiting requests continue by themselves, so that nothing of a half-filled form is lost.
 */
export type ReauthenticationKind = 'session' | 'confirmation'

export interface ReauthenticationPrompt {
  gate: ReauthenticationKind
  /** `true`: go on with what waits; `false`: give it up. */
  answer(goOn: boolean): void
}

/** The current prompt for the user; the layout shows it. */
export const reauthenticationPrompt = createSharedStore<ReauthenticationPrompt | null>(null)

let pendingPrompt: Promise<boolean> | undefined

/** Asks a person once for all requests that wait; resolves with whether to go on. */
export function requestReauthentication(gate: ReauthenticationKind): Promise<boolean> {
  pendingPrompt ??= new Promise<boolean>((resolve) => {
    reauthenticationPrompt.set({ gate, answer: resolve })
  }).finally(() => {
    pendingPrompt = undefined
    reauthenticationPrompt.set(null)
  })
  return pendingPrompt
}
