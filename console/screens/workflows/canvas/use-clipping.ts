import { useEffect, useRef } from 'react'
import { readLocalPreference, storeLocalPreference } from '../../../layout/preferences.ts'
import { formatClipboardNodes, parseClipboardNodes } from '../model/clipping.ts'
import type { WorkflowFormNode } from '../model/graph.ts'

/** What was copied last in this browser: where the clipboard is closed, it is pasted from here. */
const KEPT = 'workflow.copied'

interface Clipping {
  /** What is selected. */
  chosen(): readonly WorkflowFormNode[]
  paste(steps: readonly WorkflowFormNode[]): void
  cut(): void
}

/** Fields, and words that somebody selected, are copied as in any page. */
function isOfText(event: ClipboardEvent): boolean {
  const { target } = event
  if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select')))
    return true
  return document.querySelector('[role=dialog][aria-modal=true]') !== null || !(getSelection()?.isCollapsed ?? true)
}

/** Copies and pastes nodes by the keys of the clipboard, and by the buttons that it gives. */
export function useNodeClipboard(clipping: Clipping, isOpen: boolean) {
  const latest = useRef(clipping)
  latest.current = clipping
  const kept = (): WorkflowFormNode[] => parseClipboardNodes(readLocalPreference(KEPT, '')) ?? []
  useEffect(() => {
    if (!isOpen) return
    const copy = (event: ClipboardEvent): void => {
      const chosen = latest.current.chosen()
      if (isOfText(event) || chosen.length === 0) return
      event.preventDefault()
      storeLocalPreference(KEPT, formatClipboardNodes(chosen))
      event.clipboardData?.setData('text/plain', formatClipboardNodes(chosen))
      if (event.type === 'cut') latest.current.cut()
    }
    const paste = (event: ClipboardEvent): void => {
      if (isOfText(event)) return
      const text = event.clipboardData?.getData('text/plain') ?? ''
      const steps = text === '' ? (parseClipboardNodes(readLocalPreference(KEPT, '')) ?? []) : parseClipboardNodes(text)
      if (!steps || steps.length === 0) return
      event.preventDefault()
      latest.current.paste(steps)
    }
    const listeners = { copy, cut: copy, paste }
    for (const [type, listener] of Object.entries(listeners)) document.addEventListener(type, listener as EventListener)
    return () => {
      for (const [type, listener] of Object.entries(listeners))
        document.removeEventListener(type, listener as EventListener)
    }
  }, [isOpen])
  return {
    copy: () => {
      const text = formatClipboardNodes(latest.current.chosen())
      storeLocalPreference(KEPT, text)
      navigator.clipboard?.writeText(text).catch(() => undefined)
    },
    paste: async () => {
      const text = await navigator.clipboard?.readText?.().catch(() => '')
      const steps = parseClipboardNodes(text ?? '') ?? kept()
      if (steps.length > 0) latest.current.paste(steps)
    },
  }
}
