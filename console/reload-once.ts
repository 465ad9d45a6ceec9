import { keep, readKept } from './frame/preferences.ts'

const AGAIN_MS = 30_000

/** Parts of a page that is older than the service are gone after an upgrade: it loads itself anew, once. */
export function reloadOnce(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = readKept('reloaded', 0)
    if (Date.now() - last < AGAIN_MS) return
    event.preventDefault()
    keep('reloaded', Date.now())
    location.reload()
  })
}
