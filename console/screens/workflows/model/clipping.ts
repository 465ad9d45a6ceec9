import type { WorkflowFormNode } from './graph.ts'

const CLIPBOARD_MARK = 'stentor/workflow-nodes'
const MAX_NODES = 1000

/** Nodes as text, for the clipboard. */
export const formatClipboardNodes = (steps: readonly WorkflowFormNode[]): string =>
  JSON.stringify({ [CLIPBOARD_MARK]: 1, nodes: steps }, null, 2)

const isFormNode = (value: unknown): value is WorkflowFormNode =>
  value !== null &&
  typeof value === 'object' &&
  typeof (value as WorkflowFormNode).type === 'string' &&
  typeof (value as WorkflowFormNode).id === 'string'

/** The nodes of a text that was copied here or in another workflow; null: it is something else. */
export function parseClipboardNodes(text: string): WorkflowFormNode[] | null {
  if (!text.includes(CLIPBOARD_MARK)) return null
  try {
    const { [CLIPBOARD_MARK]: version, nodes } = JSON.parse(text) as Record<string, unknown>
    if (version !== 1 || !Array.isArray(nodes) || nodes.length > MAX_NODES) return null
    return nodes.every(isFormNode) ? nodes : null
  } catch {
    return null
  }
}
