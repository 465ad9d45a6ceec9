import type { NodeVisit } from '../stepping/step.ts'

/** What names a visit for whoever is called by it: ASCII, whatever the node is called. */
export function formatVisitKey({ run, node, visit }: Pick<NodeVisit, 'run' | 'node' | 'visit'>): string {
  return `${run}:${encodeURIComponent(node.toWellFormed())}:${visit}`
}
