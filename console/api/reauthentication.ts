import { type ApiRefusal, parseRefusal } from './refusal.ts'
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
/** Number of prompts of this page after which waiting requests went on. */
let liftedPrompts = 0

/** Asks a person once for all requests that wait; resolves with whether to go on. */
function requestReauthentication(gate: ReauthenticationKind): Promise<boolean> {
  pendingPrompt ??= new Promise<boolean>((resolve) => {
    reauthenticationPrompt.set({ gate, answer: resolve })
  })
    .then((goOn) => {
      if (goOn) liftedPrompts++
      return goOn
    })
    .finally(() => {
      pendingPrompt = undefined
      reauthenticationPrompt.set(null)
    })
  return pendingPrompt
}

/** Refusals that a person can lift at once: the request waits, and is sent again. */
function findReauthentication(refusal: ApiRefusal): ReauthenticationKind | undefined {
  if (refusal.status === 401) return 'session'
  return refusal.kind === 'confirm-again' ? 'confirmation' : undefined
}

/**
 * Sends a request. If it is refused until the person signs in or confirms, it waits for that and is sent again. A refusal of a request that
 * was sent before the last sign-in says nothing about the new session: the request is sent again without a prompt.
 */
export async function sendWithReauthentication(
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const retryRequest = request.clone()
  const promptsBefore = liftedPrompts
  const response = await send(request)
  if (response.ok) return response
  const apiRefusal = await parseRefusal(response)
  const reauthentication = findReauthentication(apiRefusal)
  if (reauthentication === undefined) throw apiRefusal
  const isOutdated = promptsBefore < liftedPrompts
  if (!isOutdated && !(await requestReauthentication(reauthentication))) throw apiRefusal
  return sendWithReauthentication(retryRequest, send)
}
