import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import { createStore, type Store } from '../../api/store.ts'
import { useText } from '../../text/catalogue.ts'
import { frameTexts } from '../texts.ts'

/** A key that does something on this screen: `mod+k`, `?`, `c`. */
export interface Shortcut {
  key: string
  /** What it does, in the person's language: shown by `?`. */
  label: string
  /** Absent: the browser does it; it is only shown. */
  run?: ((event: KeyboardEvent) => void) | undefined
}

const KeysContext = createContext<Store<readonly Shortcut[]> | null>(null)

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

export function KeysProvider({ children }: { children: ReactNode }) {
  const store = useMemo(() => createStore<readonly Shortcut[]>([]), [])
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

function useKeys(): Store<readonly Shortcut[]> {
  const store = useContext(KeysContext)
  if (!store) throw new Error('no keys here')
  return store
}

/** A key of this screen, as long as it is shown. Of two with the same key the later one counts. */
export function useShortcut(key: string, label: string, run?: Shortcut['run'], enabled = true): void {
  const store = useKeys()
  const latest = useRef(run)
  const isShownOnly = run === undefined
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    if (!enabled) return
    const own: Shortcut = { key, label, run: isShownOnly ? undefined : (event) => latest.current?.(event) }
    store.set([...store.get(), own])
    return () => store.set(store.get().filter((other) => other !== own))
  }, [store, key, label, enabled, isShownOnly])
}

/** `c`: creates what this screen lists. */
export function useCreateKey(run: () => void, enabled = true): void {
  const t = useText(frameTexts)
  useShortcut('c', t('keyCreate'), run, enabled)
}

/** The keys of what is shown now. */
export const useShownKeys = (): readonly Shortcut[] => useKeys().get()
