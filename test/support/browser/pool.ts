import type { Browser, BrowserContext } from 'playwright-core'
import { newContext, openTab, type StorageState, type View, type Window } from './windows.ts'

/** The storage, in addition to cookies, in which a page may leave data. */
const STORAGE = 'local_storage,indexeddb,cache_storage,service_workers'

type Taken = Omit<Window, 'open'>

/**
 * Gives windows whose contexts were used before where one of the same view is free, with nothing in it but what is cached of files: the
 * console is then loaded and compiled once for many tests. A context that a test closed, or left open when it failed, is not used again.
 */
export function poolOf(launched: () => Promise<Browser>, origin: string) {
  const free = new Map<string, BrowserContext[]>()
  const emptied = async (window: Taken, state?: StorageState): Promise<Taken> => {
    const { context, page } = window
    await context.clearCookies()
    if (state) await context.addCookies(state.cookies)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: STORAGE })
    await devtools.detach()
    return window
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
    const context = shelf.pop() ?? (await newContext(await launched(), view))
    const tab = await openTab(context)
    const close = async (): Promise<void> => {
      await Promise.all(context.pages().map((page) => page.close()))
      shelf.push(context)
    }
    return emptied({ ...tab, close }, state)
  }
}
