import type { Visit } from '../stepping/step.ts'

/** What names a visit for whoever is called by it: ASCII, whatever the node is called. */
export function visitKey({ run, node, visit }: Pick<Visit, 'run' | 'node' | 'visit'>): string {
  return `${run}:${encodeURIComponent(node.toWellFormed())}:${visit}`
}
