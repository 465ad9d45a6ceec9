import { isServiceAlive, waitForService } from '../api/connection.ts'
import { readLocalPreference, storeLocalPreference } from '../layout/preferences.ts'

const AGAIN_MS = 30_000

/** The router would load the page anew at once, also while nothing answers: it is told that it has. */
function holdRouter({ message }: Error): void {
  try {
    sessionStorage.setItem(`tanstack_router_reload:${message}`, '1')
  } catch {
    // Without storage the router does nothing of the kind.
  }
}

async function recover(): Promise<void> {
  if (!(await isServiceAlive())) await waitForService()
  storeLocalPreference('reloaded', Date.now())
  location.reload()
}

/** Whether the page is about to load itself anew for this error: a part of it could not be fetched. */
export function isReloadPending(error: unknown): boolean {
  const isPart =
    error instanceof Error && /dynamically imported module|module script failed|unable to preload/i.test(error.message)
  return isPart && Date.now() - readLocalPreference('reloaded', 0) > AGAIN_MS
}

/** Parts of a page that is older than the service are gone after an upgrade: it loads itself anew, once; while the service is away, when it is back. */
export function reloadPageOnce(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    holdRouter(payload)
    if (isReloadPending(payload)) void recover()
  })
}
