import { useRouter } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import { createSharedStore, type SharedStore } from '../../api/store.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { layoutTexts } from '../texts.ts'

/** A key that does something on this screen: `mod+k`, `?`, `c`. */
export interface KeyboardShortcut {
  key: string
  /** Description in the language of the user, shown by `?`. */
  label: string
  /** Absent: the browser does it; it is only shown. */
  run?: ((event: KeyboardEvent) => void) | undefined
}

const ShortcutsContext = createContext<SharedStore<readonly KeyboardShortcut[]> | null>(null)

/** Fields take letters themselves. */
function isTypingTarget({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select')
}

function formatKeyName(event: KeyboardEvent): string {
  const hasModifier = event.ctrlKey || event.metaKey
  return `${hasModifier ? 'mod+' : ''}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`
}

/** True if something covers the page: the shortcuts of the screen below are then inactive. */
const isPageCovered = (): boolean => document.querySelector('[role=dialog][aria-modal=true], [role=menu]') !== null

export function ShortcutsProvider({ children }: { children: ReactNode }) {
  const shortcutStore = useMemo(() => createSharedStore<readonly KeyboardShortcut[]>([]), [])
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return
      const name = formatKeyName(event)
      if (!name.startsWith('mod+') && (isTypingTarget(event) || isPageCovered())) return
      const matchingShortcut = shortcutStore.get().findLast(({ key }) => key === name)
      if (!matchingShortcut?.run) return
      event.preventDefault()
      matchingShortcut.run(event)
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [shortcutStore])
  return <ShortcutsContext value={shortcutStore}>{children}</ShortcutsContext>
}

function useShortcutStore(): SharedStore<readonly KeyboardShortcut[]> {
  const contextStore = useContext(ShortcutsContext)
  if (!contextStore) throw new Error('no keys here')
  return contextStore
}

/** A key of this screen, as long as it is shown. Of two with the same key the later one counts. */
export function useShortcut(key: string, label: string, run?: KeyboardShortcut['run'], enabled = true): void {
  const store = useShortcutStore()
  const latestRun = useRef(run)
  const isShownOnly = run === undefined
  useEffect(() => {
    latestRun.current = run
  })
  useEffect(() => {
    if (!enabled) return
    const ownShortcut: KeyboardShortcut = {
      key,
      label,
      run: isShownOnly ? undefined : (event) => latestRun.current?.(event),
    }
    store.set([...store.get(), ownShortcut])
    return () => store.set(store.get().filter((otherShortcut) => otherShortcut !== ownShortcut))
  }, [store, key, label, enabled, isShownOnly])
}

/** `c`: creates what this screen lists. */
export function useCreateShortcut(run: () => void, enabled = true): void {
  const t = useTranslator(layoutTexts)
  useShortcut('c', t('keyCreate'), run, enabled)
}

/** Longest wait for a page to register its key. */
const CREATE_TIMEOUT_MS = 5000

/** Opens the page of a list, and creates there what its key `c` creates. */
export function useCreateOnPage(): (to: string) => Promise<void> {
  const store = useShortcutStore()
  const router = useRouter()
  return async (to) => {
    const findCreate = () => store.get().findLast(({ key }) => key === 'c')
    const shortcutBefore = router.state.location.pathname === to ? undefined : findCreate()
    await router.navigate({ to })
    const run = (): boolean => {
      const shortcut = findCreate()
      if (!shortcut?.run || shortcut === shortcutBefore) return false
      shortcut.run(new KeyboardEvent('keydown', { key: 'c' }))
      return true
    }
    if (run()) return
    const stop = store.subscribe(() => {
      if (run()) stop()
    })
    setTimeout(stop, CREATE_TIMEOUT_MS)
  }
}

/** The keys of what is shown now. */
export const useActiveShortcuts = (): readonly KeyboardShortcut[] => useShortcutStore().get()
