import type { WorkflowRunState } from '../stepping/run-state.ts'

/** Keeps the stamps of what a node has sent in its run: waits ask for the last, and for events of all of them. `at`: ISO 8601. */
export function recordNodeSends({ run }: WorkflowRunState, node: string, stamps: readonly string[], at: string): void {
  const last = stamps.at(-1)
  if (last === undefined) return
  const others = Object.fromEntries(stamps.slice(0, -1).map((stamp, index) => [`${node} ${index + 1}`, stamp]))
  run.sends = { ...run.sends, ...others, [node]: last, '': last, [`at ${node}`]: at, 'at ': at }
}
