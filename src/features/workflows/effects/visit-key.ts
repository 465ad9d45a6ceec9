import type { NodeVisit } from '../nodes/node-contract.ts'

/** Formats the key that identifies a visit to called systems. It is ASCII, whatever the name of the node. */
export function formatVisitKey({ run, node, visit }: Pick<NodeVisit, 'run' | 'node' | 'visit'>): string {
  return `${run}:${encodeURIComponent(node.toWellFormed())}:${visit}`
}
