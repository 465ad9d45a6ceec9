import { createSharedStore } from './store.ts'

const FIRST_MS = 500
const LONGEST_MS = 5000

/** Whether the service answers; the frame says when it does not. */
export const isServiceAway = createSharedStore(false)

let looking: Promise<void> | undefined

/** Whether the service answers now. */
export async function isServiceAlive(): Promise<boolean> {
  try {
    const response = await fetch('/health/live', { cache: 'no-store' })
    return response.ok
  } catch {
    return false
  }
}

async function look(): Promise<void> {
  for (let pause = FIRST_MS; !(await isServiceAlive()); pause = Math.min(pause * 2, LONGEST_MS))
    await new Promise((resolve) => setTimeout(resolve, pause))
  isServiceAway.set(false)
}

/** Resolves when the service answers again; meanwhile it is asked every few seconds. */
export function waitForService(): Promise<void> {
  isServiceAway.set(true)
  looking ??= look().finally(() => {
    looking = undefined
  })
  return looking
}
