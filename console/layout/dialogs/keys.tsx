import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import { createSharedStore, type SharedStore } from '../../api/store.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { layoutTexts } from '../texts.ts'

/** A key that does something on this screen: `mod+k`, `?`, `c`. */
export interface KeyboardShortcut {
  key: string
  /** What it does, in the person's language: shown by `?`. */
  label: string
  /** Absent: the browser does it; it is only shown. */
  run?: ((event: KeyboardEvent) => void) | undefined
}

const KeysContext = createContext<SharedStore<readonly KeyboardShortcut[]> | null>(null)

/** Fields take letters themselves. */
function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select')
}

function nameOf(event: KeyboardEvent): string {
  const modified = event.ctrlKey || event.metaKey
  return `${modified ? 'mod+' : ''}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`
}

/** Whether something lies over the page: keys of the screen below rest then. */
const isCovered = (): boolean => document.querySelector('[role=dialog][aria-modal=true], [role=menu]') !== null

export function ShortcutsProvider({ children }: { children: ReactNode }) {
  const store = useMemo(() => createSharedStore<readonly KeyboardShortcut[]>([]), [])
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return
      const name = nameOf(event)
      if (!name.startsWith('mod+') && (isTyping(event) || isCovered())) return
      const found = store.get().findLast(({ key }) => key === name)
      if (!found?.run) return
      event.preventDefault()
      found.run(event)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [store])
  return <KeysContext value={store}>{children}</KeysContext>
}

function useKeys(): SharedStore<readonly KeyboardShortcut[]> {
  const store = useContext(KeysContext)
  if (!store) throw new Error('no keys here')
  return store
}

/** A key of this screen, as long as it is shown. Of two with the same key the later one counts. */
export function useShortcut(key: string, label: string, run?: KeyboardShortcut['run'], enabled = true): void {
  const store = useKeys()
  const latest = useRef(run)
  const isShownOnly = run === undefined
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    if (!enabled) return
    const own: KeyboardShortcut = { key, label, run: isShownOnly ? undefined : (event) => latest.current?.(event) }
    store.set([...store.get(), own])
    return () => store.set(store.get().filter((other) => other !== own))
  }, [store, key, label, enabled, isShownOnly])
}

/** `c`: creates what this screen lists. */
export function useCreateShortcut(run: () => void, enabled = true): void {
  const t = useTranslator(layoutTexts)
  useShortcut('c', t('keyCreate'), run, enabled)
}

/** The keys of what is shown now. */
export const useActiveShortcuts = (): readonly KeyboardShortcut[] => useKeys().get()
