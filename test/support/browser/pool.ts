import type { Browser, Page } from 'playwright-core'
import {
  collectComplaints,
  newContext,
  openTab,
  type StorageState,
  setView,
  type View,
  type Window,
} from './windows.ts'

/** The storage, in addition to cookies, in which a page may leave data. */
const STORAGE = 'local_storage,indexeddb,cache_storage,service_workers'
/** Events that tests listen to. */
const EVENTS = ['console', 'pageerror', 'dialog', 'request', 'requestfailed', 'requestfinished', 'response'] as const

type Taken = Omit<Window, 'open'>

/**
 * Ends what a page does, and shows nothing in its place. The page is of the same origin and opener policy as the console, so that it stays in
 * its process, which has compiled the console.
 */
async function parkPage(page: Page, origin: string): Promise<void> {
  const address = `${origin}/parked`
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const event of EVENTS) page.removeAllListeners(event)
  // The console asks before it discards what was not saved.
  page.on('dialog', (dialog) => dialog.accept())
  await page.route(address, (route) =>
    route.fulfill({ contentType: 'text/html', headers: { 'cross-origin-opener-policy': 'same-origin' }, body: '' }),
  )
  await page.goto(address)
  await page.evaluate('sessionStorage.clear()')
  await page.unroute(address)
  page.removeAllListeners('dialog')
}

/**
 * Gives windows that were used before where one of the same view is free, with nothing in it but what is cached of files: the console
 * is then loaded and compiled once for many tests. A window that a test left open when it failed, or whose context it closed, is not used again.
 */
export function poolOf(launched: () => Promise<Browser>, origin: string) {
  const free = new Map<string, Page[]>()
  const emptied = async (page: Page, state?: StorageState): Promise<void> => {
    const context = page.context()
    await context.clearCookies()
    if (state) await context.addCookies(state.cookies)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: STORAGE })
    await devtools.detach()
  }
  return async (view: Partial<View>, state?: StorageState): Promise<Taken> => {
    if (view.context) {
      const tab = await openTab(view.context)
      return { ...tab, close: () => tab.page.close() }
    }
    const { width = 1280, scheme = 'light', locale = 'en', role = 'admin', tag = '', zone = '' } = view
    const key = `${width} ${scheme} ${locale} ${role} ${tag} ${zone}`
    const shelf = free.get(key) ?? []
    free.set(key, shelf)
    const page = shelf.pop() ?? (await (await newContext(await launched(), view)).newPage())
    await setView(page, view)
    await emptied(page, state)
    const close = async (): Promise<void> => {
      const others = page
        .context()
        .pages()
        .filter((one) => one !== page)
      await Promise.all(others.map((other) => other.close()))
      await parkPage(page, origin)
      shelf.push(page)
    }
    return { context: page.context(), page, complaints: collectComplaints(page), close }
  }
}
