import { createSharedStore } from './store.ts'

const INITIAL_PAUSE_MS = 500
const MAX_PAUSE_MS = 5000

/** True while the service does not answer; the layout shows a notice. */
export const isServiceAway = createSharedStore(false)

let pendingReturn: Promise<void> | undefined

/** True if the service answers now. */
export async function isServiceAlive(): Promise<boolean> {
  try {
    const response = await fetch('/health/live', { cache: 'no-store' })
    return response.ok
  } catch {
    return false
  }
}

async function pollService(): Promise<void> {
  for (let pauseMs = INITIAL_PAUSE_MS; !(await isServiceAlive()); pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  isServiceAway.set(false)
}

/** Resolves when the service answers again; meanwhile it is asked every few seconds. */
export function waitForService(): Promise<void> {
  isServiceAway.set(true)
  pendingReturn ??= pollService().finally(() => {
    pendingReturn = undefined
  })
  return pendingReturn
}
