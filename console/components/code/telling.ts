import type { Text } from '@codemirror/state'
import { flushSync } from 'react-dom'

/** Between two keys of somebody who writes there is less. */
const PAUSE_MS = 150
/** Who does not pause is heard this often. */
const LONGEST_MS = 1000

/** Tells of what is typed. */
export interface CodeChangeNotifier {
  later(text: Text): void
  /** Something is typed that was not told. */
  isDue(): boolean
  /** Tells what is due, and no more. */
  end(): void
}

/**
 * Tells of a text at a pause of typing, and before anything else is done: a key of a command, a press anywhere, the focus elsewhere.
 * To copy a long text and to draw the page around it anew with each key is what would make typing slow.
 */
export function createChangeNotifier(tell: (text: Text) => void, isAtOnce: boolean): CodeChangeNotifier {
  let due: Text | undefined
  let since = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    clearTimeout(timer)
    if (due === undefined) return
    const text = due
    due = undefined
    tell(text)
  }
  /** What the press or the key does finds the text that was typed before it. */
  const flushBefore = (event: Event): void => {
    const isLetter = event instanceof KeyboardEvent && !event.ctrlKey && !event.metaKey && event.key !== 'Escape'
    if (due !== undefined && !isLetter) flushSync(flush)
  }
  const listening = new AbortController()
  for (const type of ['keydown', 'pointerdown', 'focusout', 'pagehide'])
    addEventListener(type, flushBefore, { capture: true, signal: listening.signal })
  return {
    later(text) {
      if (due === undefined) since = performance.now()
      due = text
      clearTimeout(timer)
      const left = since + LONGEST_MS - performance.now()
      if (isAtOnce || left <= 0) flush()
      else timer = setTimeout(flush, Math.min(PAUSE_MS, left))
    },
    isDue: () => due !== undefined,
    end() {
      listening.abort()
      flush()
    },
  }
}
