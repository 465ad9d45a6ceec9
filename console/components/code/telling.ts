import type { Text } from '@codemirror/state'
import { flushSync } from 'react-dom'

/** Between two keys of somebody who writes there is less. */
const TYPING_PAUSE_MS = 150
/** Upper limit of the delay while somebody types without a pause. */
const MAX_DELAY_MS = 1000

/** Tells of what is typed. */
export interface CodeChangeNotifier {
  later(text: Text): void
  /** True if typed text has not been reported yet. */
  isDue(): boolean
  /** Tells what is due, and no more. */
  end(): void
}

/**
 * Reports the text after a pause in typing, and before any other action: a command key, a press anywhere, a change of focus. Copying a
 * long text and rendering the page around it again on each key would make typing slow.
 */
export function createChangeNotifier(tell: (text: Text) => void, isAtOnce: boolean): CodeChangeNotifier {
  let pendingText: Text | undefined
  let pendingSince = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    clearTimeout(timer)
    if (pendingText === undefined) return
    const text = pendingText
    pendingText = undefined
    tell(text)
  }
  /** The action of the press or key must see the text typed before it. */
  const flushBefore = (event: Event): void => {
    const isTypingKey = event instanceof KeyboardEvent && !event.ctrlKey && !event.metaKey && event.key !== 'Escape'
    if (pendingText !== undefined && !isTypingKey) flushSync(flush)
  }
  const listening = new AbortController()
  for (const type of ['keydown', 'pointerdown', 'focusout', 'pagehide'])
    addEventListener(type, flushBefore, { capture: true, signal: listening.signal })
  return {
    later(text) {
      if (pendingText === undefined) pendingSince = performance.now()
      pendingText = text
      clearTimeout(timer)
      const remainingMs = pendingSince + MAX_DELAY_MS - performance.now()
      if (isAtOnce || remainingMs <= 0) flush()
      else timer = setTimeout(flush, Math.min(TYPING_PAUSE_MS, remainingMs))
    },
    isDue: () => pendingText !== undefined,
    end() {
      listening.abort()
      flush()
    },
  }
}
