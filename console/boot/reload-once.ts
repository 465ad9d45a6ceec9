import { isServiceAlive, waitForService } from '../api/connection.ts'
import { readLocalPreference, storeLocalPreference } from '../layout/preferences.ts'

const RELOAD_INTERVAL_MS = 30_000

/** The router would reload the page at once, even while the service does not answer: this marks the reload as done. */
function suppressRouterReload({ message }: Error): void {
  try {
    sessionStorage.setItem(`tanstack_router_reload:${message}`, '1')
  } catch {
    // Without storage the router does nothing of the kind.
  }
}

async function reloadWhenAlive(): Promise<void> {
  if (!(await isServiceAlive())) await waitForService()
  storeLocalPreference('reloaded', Date.now())
  location.reload()
}

/** True if the page is about to reload because of this error: one of its parts could not be fetched. */
export function isReloadPending(error: unknown): boolean {
  const isMissingChunk =
    error instanceof Error && /dynamically imported module|module script failed|unable to preload/i.test(error.message)
  return isMissingChunk && Date.now() - readLocalPreference('reloaded', 0) > RELOAD_INTERVAL_MS
}

/**
 * Parts of a page that is older than the service are gone after an upgrade: the page reloads once; if the service does not answer, it
 * waits until the service is back.
 */
export function reloadPageOnce(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    suppressRouterReload(payload)
    if (isReloadPending(payload)) void reloadWhenAlive()
  })
}
