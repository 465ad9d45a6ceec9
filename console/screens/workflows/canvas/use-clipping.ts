import { useEffect, useRef } from 'react'
import { readLocalPreference, storeLocalPreference } from '../../../layout/preferences.ts'
import { formatClipboardNodes, parseClipboardNodes } from '../model/clipping.ts'
import type { WorkflowFormNode } from '../model/graph.ts'

/** Storage key of the last copied nodes: source of a paste when the clipboard is not accessible. */
const COPY_STORAGE_KEY = 'workflow.copied'

interface ClipboardCommands {
  /** Returns the selected nodes. */
  chosen(): readonly WorkflowFormNode[]
  paste(steps: readonly WorkflowFormNode[]): void
  cut(): void
}

/** Fields, and words that somebody selected, are copied as in any page. */
function isTextTarget(event: ClipboardEvent): boolean {
  const { target } = event
  if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select')))
    return true
  return document.querySelector('[role=dialog][aria-modal=true]') !== null || !(getSelection()?.isCollapsed ?? true)
}

/** Copies and pastes nodes by the keys of the clipboard, and by the buttons that it gives. */
export function useNodeClipboard(clipping: ClipboardCommands, isOpen: boolean) {
  const latestCommands = useRef(clipping)
  latestCommands.current = clipping
  const readStoredNodes = (): WorkflowFormNode[] => parseClipboardNodes(readLocalPreference(COPY_STORAGE_KEY, '')) ?? []
  useEffect(() => {
    if (!isOpen) return
    const handleCopy = (event: ClipboardEvent): void => {
      const selectedNodes = latestCommands.current.chosen()
      if (isTextTarget(event) || selectedNodes.length === 0) return
      event.preventDefault()
      storeLocalPreference(COPY_STORAGE_KEY, formatClipboardNodes(selectedNodes))
      event.clipboardData?.setData('text/plain', formatClipboardNodes(selectedNodes))
      if (event.type === 'cut') latestCommands.current.cut()
    }
    const handlePaste = (event: ClipboardEvent): void => {
      if (isTextTarget(event)) return
      const text = event.clipboardData?.getData('text/plain') ?? ''
      const pastedNodes =
        text === '' ? (parseClipboardNodes(readLocalPreference(COPY_STORAGE_KEY, '')) ?? []) : parseClipboardNodes(text)
      if (!pastedNodes || pastedNodes.length === 0) return
      event.preventDefault()
      latestCommands.current.paste(pastedNodes)
    }
    const listeners = { copy: handleCopy, cut: handleCopy, paste: handlePaste }
    for (const [type, listener] of Object.entries(listeners)) document.addEventListener(type, listener as EventListener)
    return () => {
      for (const [type, listener] of Object.entries(listeners))
        document.removeEventListener(type, listener as EventListener)
    }
  }, [isOpen])
  return {
    copy: () => {
      const text = formatClipboardNodes(latestCommands.current.chosen())
      storeLocalPreference(COPY_STORAGE_KEY, text)
      navigator.clipboard?.writeText(text).catch(() => undefined)
    },
    paste: async () => {
      const text = await navigator.clipboard?.readText?.().catch(() => '')
      const pastedNodes = parseClipboardNodes(text ?? '') ?? readStoredNodes()
      if (pastedNodes.length > 0) latestCommands.current.paste(pastedNodes)
    },
  }
}
