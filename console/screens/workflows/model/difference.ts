import type { Step } from './graph.ts'

export type Change = 'added' | 'removed' | 'changed'

/** What became of each node between two versions; nodes that are the same are not named. */
export function differences(before: readonly Step[], after: readonly Step[]): Map<string, Change> {
  const old = new Map(before.map((step) => [step.id, JSON.stringify(step)]))
  const changes = new Map<string, Change>()
  for (const step of after) {
    const text = old.get(step.id)
    if (text === undefined) changes.set(step.id, 'added')
    else if (text !== JSON.stringify(step)) changes.set(step.id, 'changed')
    old.delete(step.id)
  }
  for (const id of old.keys()) changes.set(id, 'removed')
  return changes
}
